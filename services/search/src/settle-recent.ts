import type { SearchDocument } from '@stoa/shared/contracts/search.js'
import { type IndexDeps, indexIds } from './index-ids.ts'
import { readVersions } from './read-documents.ts'

const PAGE_DOCUMENTS = 500
/** Meilisearch takes 100 MB at once. */
const BYTES_MAX = 32 * 1024 * 1024
/** How many content tells versions of at once. */
const IDS_MAX = 500

/**
 * Moves up to `max` documents from the recent index to the live one, and returns how many. They are in
 * both for a moment, and in neither never: where it throws they stay in both. Throws `unavailable`.
 */
export async function settleRecent(deps: IndexDeps, max: number): Promise<number> {
  const { bus, index } = deps
  const { lines, versions } = await readRecent(deps, max)
  if (versions.size === 0) return 0
  // As one task: of two, the second would wait for the whole index to be written twice.
  await index.done(await index.fill(index.live, Buffer.concat(lines)))
  const ids = [...versions.keys()]
  await index.forget(index.recent, ids)
  // What was told meanwhile may just have gone from the recent index, and is older in the live one.
  for (let start = 0; start < ids.length; start += IDS_MAX) {
    const some = ids.slice(start, start + IDS_MAX)
    const now = await readVersions(bus, some)
    const changed = some.filter((id) => versions.get(id) !== now.get(id))
    await indexIds(deps, index.searched, changed)
  }
  return ids.length
}

/** As they are indexed, a line for each. */
async function readRecent({ index }: IndexDeps, max: number) {
  const lines: Buffer[] = []
  const versions = new Map<string, number>()
  let bytes = 0
  for (let offset = 0; offset < max && bytes < BYTES_MAX; offset += PAGE_DOCUMENTS) {
    const page: SearchDocument[] = await index.listed(index.recent, offset, PAGE_DOCUMENTS)
    if (page.length === 0) break
    for (const { id, version } of page) versions.set(id, version)
    lines.push(Buffer.from(page.map((one) => `${JSON.stringify(one)}\n`).join('')))
    bytes += lines.at(-1)?.length ?? 0
  }
  return { lines, versions }
}
