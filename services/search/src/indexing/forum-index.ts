import type { StreamPosition } from '@stoa/shared/bus/stream-state.js'
import type { SearchDocument } from '@stoa/shared/contracts/search.js'
import { randomToken } from '@stoa/shared/identifiers/ids.js'
import type { EnqueuedTask, Index, Meilisearch } from 'meilisearch'
import {
  call,
  LATER_MS,
  type MeiliServer,
  refusalOf,
  SOON_MS,
  settle,
} from '../meilisearch/meili.ts'
import { allEnded } from './all-ended.ts'
import type { DocumentState } from './document-state.ts'
import { SCHEMA } from './index-settings.ts'
import { indexedDocument } from './indexed-document.ts'

/**
 * The first document of an index, which, like merge notes, is none of the forum's. An index without
 * it was not created here: Meilisearch creates an index, without any settings, for documents that
 * are put into a missing one.
 */
export const MARKER = { id: 'generation', type: 'marker', schema: SCHEMA }
export const PRIMARY_KEY = 'id'

const MERGE = 'merge'
/** Each replica runs one merge at a time. */
const MERGES_MAX = 1_000

/**
 * Is in the live index with the documents of a merge, put there in the same task, until they have
 * been compared with content: the replica that merges may be killed before.
 */
export interface MergeNote {
  id: string
  type: typeof MERGE
  moved: string[]
}

export function mergeNote(moved: string[]): MergeNote {
  return { id: `${MERGE}_${randomToken(8)}`, type: MERGE, moved }
}

/**
 * Names of indexes written together: changed documents go into the first, deleted ones leave all.
 */
export type Indexes = [string, ...string[]]

/**
 * Where all documents are: all types are in one index, told apart by a filter. On a large forum,
 * new documents are in an index of their own until they are merged
 * (docs/decisions/0041-what-is-new-on-a-large-forum.md).
 */
export class ForumIndex {
  readonly client: Meilisearch
  /** The index that is searched. */
  readonly live: string
  /** The index that is searched as well if `usesRecent`. */
  readonly recent: string
  /** Whether the recent index holds anything, or is going to. */
  usesRecent = true
  /** The beginning of the names of indexes that are being built. */
  readonly buildPrefix: string

  readonly #load: MeiliServer['load']
  readonly #now: MeiliServer['now']

  constructor({ client, load, now }: MeiliServer, prefix: string) {
    this.client = client
    this.#load = load
    this.#now = now
    this.live = `${prefix}forum`
    this.recent = `${prefix}recent`
    this.buildPrefix = `${prefix}build_`
  }

  /** The time by the clock that dates indexes. */
  now(): number {
    return this.#now()
  }

  of(uid: string): Index {
    return this.client.index(uid)
  }

  /** The indexes that are searched, and written. */
  get searched(): Indexes {
    return this.usesRecent ? [this.recent, this.live] : [this.live]
  }

  /** Whether the searched indexes were filled, with these settings. Throws `unavailable`. */
  async isBuilt(): Promise<boolean> {
    const marked = await Promise.all([this.live, this.recent].map((uid) => this.#isMarked(uid)))
    return marked.every(Boolean)
  }

  async #isMarked(uid: string): Promise<boolean> {
    const found = await this.#markerOf(uid)
    return found?.schema !== undefined && found.schema >= SCHEMA
  }

  /** The name under which an index was created; null if it is missing. Throws `unavailable`. */
  async generationOf(uid: string): Promise<string | null> {
    return (await this.#markerOf(uid))?.generation ?? null
  }

  #markerOf(uid: string): Promise<{ schema?: number; generation?: string } | undefined> {
    const fields = ['schema', 'generation']
    return unlessMissing(call(this.of(uid).getDocument(MARKER.id, { fields })))
  }

  async exists(uid: string): Promise<boolean> {
    return (await unlessMissing(call(this.of(uid).getRawInfo()))) !== undefined
  }

  /** How many documents of the forum are in an index; 0 if it is missing. Throws `unavailable`. */
  async sizeOf(uid: string): Promise<number> {
    const stats = await unlessMissing(call(this.of(uid).getStats()))
    const { numberOfDocuments = 0, fieldDistribution = {} } = stats ?? {}
    const notes = fieldDistribution.moved ?? 0
    return Math.max(0, numberOfDocuments - 1 - notes)
  }

  /** Documents of the forum as an index has them, from `offset` on. Throws `unavailable`. */
  async listed(uid: string, offset: number, limit: number): Promise<SearchDocument[]> {
    const { results } = await call(this.of(uid).getDocuments<SearchDocument>({ offset, limit }))
    return results.filter(({ id }) => id !== MARKER.id)
  }

  /** The states of these ids in an index. Throws `unavailable`. */
  async statesIn(uid: string, ids: string[]): Promise<Map<string, DocumentState>> {
    // An empty filter makes the client use POST: so many ids are too long for an address.
    const wanted = { ids, fields: ['id', 'version', 'created_at'], limit: ids.length, filter: [] }
    const { results } = await call(this.of(uid).getDocuments(wanted))
    return new Map(results.map(({ id, version, created_at }) => [id, { version, created_at }]))
  }

  /** The notes of merges in the live index; none if that is missing. Throws `unavailable`. */
  async mergeNotes(): Promise<MergeNote[]> {
    const wanted = { filter: `type = ${MERGE}`, limit: MERGES_MAX }
    const page = await unlessMissing(call(this.of(this.live).getDocuments<MergeNote>(wanted)))
    return page?.results ?? []
  }

  /**
   * Notes, in the recent index's marker, how far of the FORUM stream is in the searched indexes;
   * the marker has it some time after this returned. Throws `unavailable`.
   */
  async notePosition(position: StreamPosition): Promise<void> {
    await call(this.of(this.recent).updateDocuments([{ id: MARKER.id, ...position }]))
  }

  /** The position noted last; undefined if none was. Throws `unavailable`. */
  async position(): Promise<StreamPosition | undefined> {
    const fields = ['stream', 'position']
    const noted: Partial<StreamPosition> | undefined = await unlessMissing(
      call(this.of(this.recent).getDocument(MARKER.id, { fields })),
    )
    const { stream, position } = noted ?? {}
    return stream === undefined || position === undefined ? undefined : { stream, position }
  }

  /** Has documents put into an index, which happens some time after this returned. */
  fill(uid: string, lines: Buffer): Promise<EnqueuedTask> {
    return call(this.#load(uid, lines))
  }

  /** Waits until a task of `fill` is done. */
  async done(task: EnqueuedTask): Promise<void> {
    await this.settle(Promise.resolve(task), LATER_MS)
  }

  /**
   * Puts documents into the first of these indexes, removes others from all, and waits for both.
   */
  async write(uids: Indexes, documents: SearchDocument[], goneIds: string[]) {
    // All tasks are enqueued before one is awaited, so that Meilisearch may work on them as one.
    const enqueued: Promise<EnqueuedTask>[] = []
    const indexed = documents.map(indexedDocument)
    if (indexed.length > 0)
      enqueued.push(this.of(uids[0]).addDocuments(indexed, { primaryKey: PRIMARY_KEY }))
    if (goneIds.length > 0)
      for (const uid of uids) enqueued.push(this.of(uid).deleteDocuments(goneIds))
    await allEnded(enqueued.map((task) => this.settle(task, SOON_MS)))
  }

  /** Removes documents from an index, and waits up to LATER_MS for that. */
  async forget(uid: string, ids: string[]): Promise<void> {
    await this.settle(this.of(uid).deleteDocuments(ids), LATER_MS)
  }

  /** Waits at most `timeoutMs` until a task is done. Throws `unavailable` and `TaskFailed`. */
  settle(enqueued: Promise<EnqueuedTask>, timeoutMs: number): Promise<void> {
    return settle(this.client, enqueued, timeoutMs)
  }
}

async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (refusalOf(error)?.status === 404) return undefined
    throw error
  }
}
