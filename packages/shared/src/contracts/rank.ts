import { z } from 'zod'
import { defineRequest } from './contract.ts'
import type { RankPost } from './events.ts'

/** A page of counters of public posts, newest ids first, for rebuilding the hot sets. */
export const rankSnapshot = defineRequest({
  name: 'content.rank-snapshot',
  input: z.object({
    before_id: z.string().optional(),
    limit: z.int().min(1).max(10_000).default(5_000),
  }),
  output: z.custom<{ object: 'snapshot'; items: RankPost[]; total: number }>(),
  timeoutMs: 15_000,
})
