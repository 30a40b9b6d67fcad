import { z } from 'zod'
import { defineRequest } from './contract.ts'

/** Progress of a rebuild that runs inside its service. */
export interface RebuildState {
  object: 'rebuild'
  /** `absent` of a service that runs without a store. */
  state: 'idle' | 'running' | 'failed' | 'absent'
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
