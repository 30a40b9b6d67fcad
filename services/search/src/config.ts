import { commonConfig } from '@stoa/shared/config.js'
import { z } from 'zod'

export const SearchConfig = z.object({
  ...commonConfig,
  /** Without it there is no index: every search is answered by PostgreSQL. */
  MEILI_URL: z.url().optional(),
  MEILI_KEY: z.string().default(''),
  /** What every index is called in front of its own name, so that forums can share a server. */
  INDEX_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]{0,100}$/, 'may hold letters, digits, _ and - only')
    .default('stoa_'),
})
export type SearchConfig = z.output<typeof SearchConfig>
