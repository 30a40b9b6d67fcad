import type { SearchDocument } from '@stoa/shared/contracts/search.js'
import { type DocumentState, isSameState } from './document-state.ts'
import { type MergeNote, mergeNote } from './forum-index.ts'
import { type IndexDeps, indexIds } from './index-ids.ts'
import { readStates } from './read-documents.ts'

/** The longest possible documents take some 170 kB each. */
const PAGE_DOCUMENTS = 200
/**
 * With the page that crosses this, a task stays below the 100 MB that Meilisearch takes at once.
 */
const BYTES_MAX = 32 * 1024 * 1024

/**
 * Moves up to `max` documents from the recent index to the live one, fewer if they are large, and
 * returns how many. Each document is in both for a moment and never in neither. If this ends early,
 * `finishMerges` must be called. Throws `unavailable`.
 */
export async function mergeRecent(
  deps: IndexDeps,
  max: number,
  bytesMax = BYTES_MAX,
): Promise<number> {
  const { index } = deps
  const { lines, states } = await readRecent(deps, max, bytesMax)
  if (states.size === 0) return 0
  const note = mergeNote([...states.keys()])
  // One task, because a second would wait for the whole index to be written twice. And the note
  // comes to lie where the documents do: a rebuild may swap the index before the task is done.
  await index.done(
    await index.fill(index.live, Buffer.concat([...lines, Buffer.from(lineOf(note))])),
  )
  await index.forget(index.recent, await mergedOf(deps, states))
  await finishMerge(deps, note)
  return states.size
}

/** Finishes merges that ended early, or that another replica is finishing. Throws `unavailable`. */
export async function finishMerges(deps: IndexDeps): Promise<void> {
  for (const note of await deps.index.mergeNotes()) await finishMerge(deps, note)
}

/**
 * Indexes again those moved documents whose state in the live index is not the one that content has
 * now, because they have changed since they were read.
 */
async function finishMerge(deps: IndexDeps, { id, moved }: MergeNote): Promise<void> {
  const { bus, index } = deps
  const now = await readStates(bus, moved)
  const live = await index.statesIn(index.live, moved)
  const differing = moved.filter((one) => !isSameState(live.get(one), now.get(one)))
  await indexIds(deps, index.searched, differing)
  await index.forget(index.live, [id])
}

/**
 * The ids whose documents are the same in the live index as in the recent one: others have changed
 * again since, or a rebuild has replaced the live index.
 */
async function mergedOf(
  { index }: IndexDeps,
  states: Map<string, DocumentState>,
): Promise<string[]> {
  const ids = [...states.keys()]
  const held = [await index.statesIn(index.recent, ids), await index.statesIn(index.live, ids)]
  return ids.filter((id) => held.every((one) => isSameState(one.get(id), states.get(id))))
}

/** The documents of the recent index as they are indexed, one a line. */
async function readRecent({ index }: IndexDeps, max: number, bytesMax: number) {
  const lines: Buffer[] = []
  const states = new Map<string, DocumentState>()
  let bytes = 0
  for (let offset = 0; offset < max && bytes < bytesMax; offset += PAGE_DOCUMENTS) {
    const page: SearchDocument[] = await index.listed(index.recent, offset, PAGE_DOCUMENTS)
    if (page.length === 0) break
    for (const { id, version, created_at } of page) states.set(id, { version, created_at })
    lines.push(Buffer.from(page.map(lineOf).join('')))
    bytes += lines.at(-1)?.length ?? 0
  }
  return { lines, states }
}

function lineOf(document: object): string {
  return `${JSON.stringify(document)}\n`
}
