import type { CloudEvent } from '@stoa/shared/bus/events.js'
import type { Reference } from '@stoa/shared/contracts/events.js'
import { SearchType } from '@stoa/shared/contracts/search.js'
import { type IdKind, kindOfId } from '@stoa/shared/identifiers/ids.js'
import { type IndexDeps, indexIds } from './index-ids.ts'

const INDEXED: readonly (IdKind | undefined)[] = SearchType.options

/** The ids that events are about and that can be searched for. */
export function indexedIds(events: CloudEvent<Reference>[]): string[] {
  return events.map(({ data }) => data.id).filter((id) => INDEXED.includes(kindOfId(id)))
}

/**
 * Brings the searched indexes up to date. An index that has not been built needs nothing: the
 * rebuild that fills it begins or ends after these events, and either way reads what they tell of.
 */
export async function onForumEvents(deps: IndexDeps, events: CloudEvent<Reference>[]) {
  const ids = indexedIds(events)
  if (ids.length === 0 || !(await deps.index.isBuilt())) return
  await indexIds(deps, deps.index.searched, ids)
}
