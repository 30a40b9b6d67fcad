import { numberWithin } from '../process/config.ts'
import { HOT_DEFAULTS, type HotSettings } from './hot-score.ts'

/** Ten years: with a longer half-life, age counts for nothing. */
const HALF_LIFE_MAX = 315_360_000
const WEIGHT_MAX = 1_000_000

/** Within these bounds a score is a finite number, whatever a post receives. */
const weight = (fallback: number) => numberWithin(-WEIGHT_MAX, WEIGHT_MAX).default(fallback)

/** The settings of the hot order; the same values must reach content and ranking. */
export const hotConfig = {
  HOT_HALF_LIFE_SECONDS: numberWithin(1, HALF_LIFE_MAX).default(HOT_DEFAULTS.halfLifeSeconds),
  HOT_COMMENT_WEIGHT: weight(HOT_DEFAULTS.commentWeight),
  HOT_REPRODUCTION_WEIGHT: weight(HOT_DEFAULTS.reproductionWeight),
  HOT_FAILURE_WEIGHT: weight(HOT_DEFAULTS.failureWeight),
}

type HotConfig = { [Name in keyof typeof hotConfig]: number }

export function hotSettings(config: HotConfig): HotSettings {
  return {
    halfLifeSeconds: config.HOT_HALF_LIFE_SECONDS,
    commentWeight: config.HOT_COMMENT_WEIGHT,
    reproductionWeight: config.HOT_REPRODUCTION_WEIGHT,
    failureWeight: config.HOT_FAILURE_WEIGHT,
  }
}
