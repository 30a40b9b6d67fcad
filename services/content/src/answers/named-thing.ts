import type { FoundHit } from '@stoa/shared/contracts/search.js'
import { ID_PREFIXES } from '@stoa/shared/ids.js'
import { FILTERS } from '../tables/search-statement.ts'
import type { SearchInput } from './search-answer.ts'

/**
 * What a search asks for by its id, or by an address that has it, if that is all it asks. The index has
 * only what names it. Further pages and filtered ones do not begin with it.
 */
export function namedThing(input: SearchInput): FoundHit | undefined {
  if (input.before !== undefined || FILTERS.some((filter) => input[filter]?.length))
    return undefined
  const pattern = `^\\S*(?<![a-z0-9])(${ID_PREFIXES[input.type]}_[0-9a-f]{32})(?![0-9a-f])\\S*$`
  const [, id] = new RegExp(pattern).exec(input.q) ?? []
  return id === undefined ? undefined : { id, version: 0, relevance: 1 }
}
