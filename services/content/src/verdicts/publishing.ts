import type { Publication } from '../publication.ts'
import type { Effects } from '../tables/effects.ts'
import type { Surroundings } from './cases.ts'

/** What a case is published with: its surroundings, the effects to write, and its time. */
export interface Publishing {
  around: Surroundings
  effects: Effects
  publication: Publication
}
