import { z } from 'zod'
import { defineRequest } from '../contract.ts'
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

/** Progress of a rebuild that runs inside its service. */
export interface RebuildState {
  object: 'rebuild'
  state: 'idle' | 'running' | 'failed'
  done: number
  total: number
  /** Names what is served now; another after each rebuild that came to its end. */
  generation: string | null
}

export const rebuildRanking = defineRequest({
  name: 'ranking.rebuild',
  input: z.object({ start: z.boolean() }),
  output: z.custom<RebuildState>(),
})

export const rebuildSearch = defineRequest({
  name: 'search.rebuild',
  input: z.object({ start: z.boolean() }),
  output: z.custom<RebuildState>(),
})
