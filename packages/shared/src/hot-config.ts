import { z } from 'zod'
import { HOT_DEFAULTS, type HotSettings } from './hot-score.ts'

/** The settings of the hot order; the same values must reach content and ranking. */
export const hotConfig = {
  HOT_HALF_LIFE_SECONDS: z.coerce.number().positive().default(HOT_DEFAULTS.halfLifeSeconds),
  HOT_COMMENT_WEIGHT: z.coerce.number().default(HOT_DEFAULTS.commentWeight),
  HOT_REPRODUCTION_WEIGHT: z.coerce.number().default(HOT_DEFAULTS.reproductionWeight),
  HOT_FAILURE_WEIGHT: z.coerce.number().default(HOT_DEFAULTS.failureWeight),
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
