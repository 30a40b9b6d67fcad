import {
  commonConfig,
  plainAddress,
  wholeNumber,
  wholeNumberWithin,
} from '@stoa/shared/process/config.js'
import { z } from 'zod'
import { SEARCHES_AT_ONCE_MAX } from './meilisearch/meili-http.ts'

export const SearchConfig = z.object({
  ...commonConfig,
  /** Without it there is no index: every search is answered by PostgreSQL. */
  MEILI_URL: plainAddress.optional(),
  /** Sent in a header: Node.js refuses one that cannot be by quoting it. */
  MEILI_KEY: z
    .string()
    .trim()
    .regex(/^[\x20-\x7e]*$/, 'is not one line of ASCII')
    .default(''),
  /** What every index is called in front of its own name, so that forums can share a server. */
  INDEX_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]{0,100}$/, 'may hold letters, digits, _ and - only')
    .default('stoa_'),
  /** From how many documents in the index on what is new is indexed apart from them at first. */
  INDEX_RECENT_FROM: wholeNumber(0, Number.MAX_SAFE_INTEGER, 200_000),
  /** How many new documents are indexed apart at most before they are merged, which takes seconds. */
  INDEX_RECENT_MAX: wholeNumber(1, 10_000, 2_000),
  /** How many requests for searches Meilisearch has at a time; as many as processors here when absent. */
  SEARCHES_AT_ONCE: wholeNumberWithin(1, SEARCHES_AT_ONCE_MAX).optional(),
})
export type SearchConfig = z.output<typeof SearchConfig>
