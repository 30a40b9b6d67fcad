import type { Publication } from '../publication.ts'
import type { Effects } from '../tables/effects.ts'
import type { Surroundings } from './cases.ts'

/** What a case is published with: what it hangs on, what is going to be written, and its time. */
export interface Publishing {
  around: Surroundings
  effects: Effects
  publication: Publication
}
