import type { StreamPosition } from '@stoa/shared/bus/stream-state.js'
import { call, LATER_MS, TaskFailed } from '../meilisearch/meili.ts'
import { type ForumIndex, MARKER, PRIMARY_KEY } from './forum-index.ts'
import { INDEX_SETTINGS } from './index-settings.ts'

/**
 * Settings take Meilisearch a millisecond while there is no document, and half a second beside the
 * marker. The marker makes an index anew that was dropped meanwhile, and without settings, so they
 * are looked for in the end: throws where they are missing.
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

/** Makes what `promoteIndex` needs beside an index that is being filled. */
export async function prepareIndex(index: ForumIndex, uid: string): Promise<void> {
  await createIndex(index, emptyBeside(uid))
}

/** Takes an index away that was created to build in, or what `promoteIndex` has left in its place. */
export async function dropIndex(index: ForumIndex, uid: string): Promise<void> {
  const dropped = [uid, emptyBeside(uid)].map((one) =>
    index.settle(index.client.deleteIndex(one), LATER_MS).catch(ignoring('index_not_found')),
  )
  await Promise.all(dropped)
}

/**
 * Exchanges a filled index for the live one and the empty one beside it for the recent one, in one
 * step, and notes how far the filled one is. Throws where either was dropped: nothing is written to
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

/** Only what exists can be exchanged. */
async function createMissing(index: ForumIndex, uid: string): Promise<void> {
  if (await index.exists(uid)) return
  const created = index.client.createIndex(uid, { primaryKey: PRIMARY_KEY })
  await index.settle(created, LATER_MS).catch(ignoring('index_already_exists'))
}

const BESIDE = '_recent'

/** What becomes the recent index when this one becomes the live one. */
export function emptyBeside(uid: string): string {
  return uid + BESIDE
}

/** Of these names of indexes those that are none beside another. */
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
