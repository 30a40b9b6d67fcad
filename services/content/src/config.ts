import { commonConfig, wholeNumber } from '@stoa/shared/config.js'
import { HOT_DEFAULTS, type HotSettings } from '@stoa/shared/hot-score.js'
import { z } from 'zod'

export const ContentConfig = z.object({
  ...commonConfig,
  DATABASE_URL: z.string().min(1),
  /** Connections of this process; PostgreSQL's max_connections bounds the sum over replicas. */
  DATABASE_POOL: wholeNumber(2, 100, 12),
  /** How long a create waits for its verdict before it answers 202. */
  PUBLISH_WAIT_MS: wholeNumber(0, 7_000, 2_000),
  /** After how long without a verdict a scan is asked for again. */
  RESCAN_AFTER_MS: wholeNumber(100, 600_000, 30_000),
  HOT_HALF_LIFE_SECONDS: z.coerce.number().positive().default(HOT_DEFAULTS.halfLifeSeconds),
  HOT_COMMENT_WEIGHT: z.coerce.number().default(HOT_DEFAULTS.commentWeight),
  HOT_REPRODUCTION_WEIGHT: z.coerce.number().default(HOT_DEFAULTS.reproductionWeight),
  HOT_FAILURE_WEIGHT: z.coerce.number().default(HOT_DEFAULTS.failureWeight),
})
export type ContentConfig = z.output<typeof ContentConfig>

export function hotSettings(config: ContentConfig): HotSettings {
  return {
    halfLifeSeconds: config.HOT_HALF_LIFE_SECONDS,
    commentWeight: config.HOT_COMMENT_WEIGHT,
    reproductionWeight: config.HOT_REPRODUCTION_WEIGHT,
    failureWeight: config.HOT_FAILURE_WEIGHT,
  }
}
