import { z } from 'zod'
import { defineRequest } from './contract.ts'

/** Progress of a rebuild that runs inside its service. */
export interface RebuildState {
  object: 'rebuild'
  /** `absent` if the service runs without a store. */
  state: 'idle' | 'running' | 'failed' | 'absent'
  done: number
  total: number
  /** Names the data that is served now; changes with each finished rebuild. */
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
