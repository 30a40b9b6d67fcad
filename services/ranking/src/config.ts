import { hotConfig } from '@stoa/shared/hot-order/hot-config.js'
import { commonConfig, redisConfig, wholeNumber } from '@stoa/shared/process/config.js'
import { z } from 'zod'

export const RankingConfig = z.object({
  ...commonConfig,
  ...hotConfig,
  ...redisConfig,
  /** How deep the hot order of the whole forum and of one community reaches; PostgreSQL goes on. */
  HOT_GLOBAL_MAX: wholeNumber(10, 1_000_000, 10_000),
  HOT_COMMUNITY_MAX: wholeNumber(10, 1_000_000, 2_000),
  /** How long after the last sign of life of the active worker another one takes over. */
  LEASE_MS: wholeNumber(300, 60_000, 4_000),
})
export type RankingConfig = z.output<typeof RankingConfig>
