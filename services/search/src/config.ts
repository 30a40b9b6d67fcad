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
  /**
   * Sent in a header: Node.js refuses a value that no header may hold with an error that quotes it.
   */
  MEILI_KEY: z
    .string()
    .trim()
    .regex(/^[\x20-\x7e]*$/, 'is not one line of ASCII')
    .default(''),
  /** The beginning of the name of every index, so that forums can share a server. */
  INDEX_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]{0,100}$/, 'may hold letters, digits, _ and - only')
    .default('stoa_'),
  /** From this many documents in the index on, new documents are first indexed apart. */
  INDEX_RECENT_FROM: wholeNumber(0, Number.MAX_SAFE_INTEGER, 200_000),
  /** The most new documents that are indexed apart before a merge, which takes seconds. */
  INDEX_RECENT_MAX: wholeNumber(1, 10_000, 2_000),
  /** The most search requests at Meilisearch at a time; by default as many as processors here. */
  SEARCHES_AT_ONCE: wholeNumberWithin(1, SEARCHES_AT_ONCE_MAX).optional(),
})
export type SearchConfig = z.output<typeof SearchConfig>
