import type { SearchDocument } from '@stoa/shared/contracts/search.js'
import { type DocumentState, isSameState } from './document-state.ts'
import { type IndexDeps, indexIds } from './index-ids.ts'
import { readStates } from './read-documents.ts'

const PAGE_DOCUMENTS = 500
/** Meilisearch takes 100 MB at once. */
const BYTES_MAX = 32 * 1024 * 1024

/**
 * Moves up to `max` documents from the recent index to the live one, and returns how many. Each is in
 * both for a moment and in neither never. Where this ends early, whoever merges next has to call
 * `finishMerge` first. Throws `unavailable`.
 */
export async function mergeRecent(deps: IndexDeps, max: number): Promise<number> {
  const { index } = deps
  const { lines, states } = await readRecent(deps, max)
  if (states.size === 0) return 0
  await index.noteMerging([...states.keys()])
  // As one task: of two, the second would wait for the whole index to be written twice.
  await index.done(await index.fill(index.live, Buffer.concat(lines)))
  await index.forget(index.recent, await mergedOf(deps, states))
  await finishMerge(deps, [...states.keys()])
  return states.size
}

/**
 * Indexes again, of what was moved, what the live index does not have as content has it: it was told
 * of meanwhile. Without ids, what a merge that ended early had noted. Throws `unavailable`.
 */
export async function finishMerge(deps: IndexDeps, moved?: string[]): Promise<void> {
  const { bus, index } = deps
  const ids = moved ?? (await index.merging())
  if (ids.length === 0) return
  const now = await readStates(bus, ids)
  const live = await index.statesIn(index.live, ids)
  const differing = ids.filter((id) => !isSameState(live.get(id), now.get(id)))
  await indexIds(deps, index.searched, differing)
  await index.noteMerging([])
}

/**
 * Which of these are in the live index as they are in the recent one: others have been told of again
 * meanwhile, or a rebuild has replaced the live index.
 */
async function mergedOf(
  { index }: IndexDeps,
  states: Map<string, DocumentState>,
): Promise<string[]> {
  const ids = [...states.keys()]
  const held = [await index.statesIn(index.recent, ids), await index.statesIn(index.live, ids)]
  return ids.filter((id) => held.every((one) => isSameState(one.get(id), states.get(id))))
}

/** As they are indexed, a line for each. */
async function readRecent({ index }: IndexDeps, max: number) {
  const lines: Buffer[] = []
  const states = new Map<string, DocumentState>()
  let bytes = 0
  for (let offset = 0; offset < max && bytes < BYTES_MAX; offset += PAGE_DOCUMENTS) {
    const page: SearchDocument[] = await index.listed(index.recent, offset, PAGE_DOCUMENTS)
    if (page.length === 0) break
    for (const { id, version, created_at } of page) states.set(id, { version, created_at })
    lines.push(Buffer.from(page.map((one) => `${JSON.stringify(one)}\n`).join('')))
    bytes += lines.at(-1)?.length ?? 0
  }
  return { lines, states }
}
