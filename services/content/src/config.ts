import { hotConfig } from '@stoa/shared/hot-order/hot-config.js'
import { commonConfig, UNREADABLE, wholeNumber } from '@stoa/shared/process/config.js'
import pg from 'pg'
import { z } from 'zod'
import { webhookConfig } from './webhooks/webhook-config.ts'

/** Asks the driver, not `URL`, because `URL` may reject the address of a Unix socket. */
function isReadByDriver(connectionString: string): boolean {
  try {
    return new pg.Client({ connectionString }).database !== undefined
  } catch {
    return false
  }
}

/** Also read by the operator's commands. */
export const DatabaseConfig = z.object({
  DATABASE_URL: z
    .string("is not set: set it to the address of the forum's PostgreSQL database")
    .regex(/^postgres(ql)?:\/\/./, { error: 'is not postgresql://…', abort: true })
    .refine(isReadByDriver, UNREADABLE),
})

export const ContentConfig = z.object({
  ...commonConfig,
  ...DatabaseConfig.shape,
  /** Connections of this process; PostgreSQL's max_connections bounds the sum over replicas. */
  DATABASE_POOL: wholeNumber(2, 100, 12),
  /** How long a create waits for its verdict before it answers 202. */
  PUBLISH_WAIT_MS: wholeNumber(0, 7_000, 2_000),
  /** How long a text may wait to be stored together with its verdict; 0 never waits. */
  EARLY_SCAN_MS: wholeNumber(0, 2_000, 100),
  /** After how long without a verdict a scan is asked for again. */
  RESCAN_AFTER_MS: wholeNumber(100, 600_000, 30_000),
  ...hotConfig,
  ...webhookConfig,
})
export type ContentConfig = z.output<typeof ContentConfig>
