import type { StreamPosition } from '@stoa/shared/bus/stream-state.js'
import { call, LATER_MS, TaskFailed } from '../meilisearch/meili.ts'
import { type ForumIndex, MARKER, PRIMARY_KEY } from './forum-index.ts'
import { INDEX_SETTINGS } from './index-settings.ts'

/**
 * Settings take Meilisearch a millisecond while an index is empty, and half a second once it has
 * the marker. If the index was dropped in between, the marker creates it again without settings, so
 * they are checked at the end. Throws if they are missing.
 */
export async function createIndex(index: ForumIndex, uid: string): Promise<void> {
  const primaryKey = PRIMARY_KEY
  await index.settle(index.client.createIndex(uid, { primaryKey }), LATER_MS)
  await index.settle(index.of(uid).updateSettings(INDEX_SETTINGS), LATER_MS)
  const marker = { ...MARKER, generation: uid }
  await index.settle(index.of(uid).addDocuments([marker], { primaryKey }), LATER_MS)
  const { proximityPrecision } = await call(index.of(uid).getSettings())
  if (proximityPrecision !== INDEX_SETTINGS.proximityPrecision) {
    throw new Error('the index was dropped while it was made')
  }
}

/** Creates the empty index that `promoteIndex` needs beside an index that is being filled. */
export async function prepareIndex(index: ForumIndex, uid: string): Promise<void> {
  await createIndex(index, emptyBeside(uid))
}

/** Drops an index that was created to build in, or what `promoteIndex` has left in its place. */
export async function dropIndex(index: ForumIndex, uid: string): Promise<void> {
  const dropped = [uid, emptyBeside(uid)].map((one) =>
    index.settle(index.client.deleteIndex(one), LATER_MS).catch(ignoring('index_not_found')),
  )
  await Promise.all(dropped)
}

/**
 * Swaps a filled index with the live one, and the empty one beside it with the recent one, in one
 * step, and notes how far the filled one is. Throws if either was dropped: nothing is written to
 * them any more, so that they stay missing then.
 */
export async function promoteIndex(
  index: ForumIndex,
  uid: string,
  position: StreamPosition,
): Promise<void> {
  const empty = emptyBeside(uid)
  const generations = await Promise.all([uid, empty].map((one) => index.generationOf(one)))
  if (generations[0] !== uid || generations[1] !== empty) {
    throw new Error('the index that was filled is gone')
  }
  await Promise.all([index.live, index.recent].map((one) => createMissing(index, one)))
  const noted = index.of(empty).updateDocuments([{ id: MARKER.id, ...position }])
  await index.settle(noted, LATER_MS)
  const swapped = index.client.swapIndexes([
    { indexes: [uid, index.live], rename: false },
    { indexes: [empty, index.recent], rename: false },
  ])
  await index.settle(swapped, LATER_MS)
}

/** Only existing indexes can be swapped. */
async function createMissing(index: ForumIndex, uid: string): Promise<void> {
  if (await index.exists(uid)) return
  const created = index.client.createIndex(uid, { primaryKey: PRIMARY_KEY })
  await index.settle(created, LATER_MS).catch(ignoring('index_already_exists'))
}

const BESIDE = '_recent'

/** The name of the index that becomes the recent one when `uid` becomes the live one. */
export function emptyBeside(uid: string): string {
  return uid + BESIDE
}

/** The indexes that are not the empty one beside another of them. */
export function withoutBeside<Named extends { uid: string }>(indexes: Named[]): Named[] {
  const uids = new Set(indexes.map(({ uid }) => uid))
  return indexes.filter(
    ({ uid }) => !uid.endsWith(BESIDE) || !uids.has(uid.slice(0, -BESIDE.length)),
  )
}

function ignoring(code: string) {
  return (error: unknown) => {
    if (!(error instanceof TaskFailed && error.code === code)) throw error
  }
}
