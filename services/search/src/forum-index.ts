import type { SearchDocument } from '@stoa/shared/contracts/search.js'
import type { EnqueuedTask, Index, Meilisearch } from 'meilisearch'
import { INDEX_SETTINGS, SCHEMA } from './index-settings.ts'
import { indexedDocument } from './indexed-document.ts'
import {
  call,
  LATER,
  type MeiliServer,
  type Patience,
  refusalOf,
  SOON,
  settle,
  TaskFailed,
} from './meili.ts'

/** The one document that is none of the forum's: an index that lacks it has never been filled. */
const MARKER = { id: 'generation', type: 'marker', schema: SCHEMA }
const PRIMARY_KEY = 'id'

/** Where everything lies: one index for all types, told apart by a filter. */
export class ForumIndex {
  readonly client: Meilisearch
  /** The index that is searched. */
  readonly live: string
  /** What the names of indexes begin with that are being built. */
  readonly buildPrefix: string

  readonly #load: MeiliServer['load']

  constructor({ client, load }: MeiliServer, prefix: string) {
    this.client = client
    this.#load = load
    this.live = `${prefix}forum`
    this.buildPrefix = `${prefix}build_`
  }

  of(uid: string): Index {
    return this.client.index(uid)
  }

  /** Whether the live index was filled, and by these settings. Throws `unavailable`. */
  async isBuilt(): Promise<boolean> {
    const found = await call(this.of(this.live).getDocument(MARKER.id)).catch((error: unknown) => {
      if (refusalOf(error)?.status === 404) return null
      throw error
    })
    return found !== null && found.schema >= SCHEMA
  }

  async create(uid: string): Promise<void> {
    await this.#settle(this.client.createIndex(uid, { primaryKey: PRIMARY_KEY }), LATER)
    await this.#settle(this.of(uid).updateSettings(INDEX_SETTINGS), LATER)
  }

  async drop(uid: string): Promise<void> {
    await this.#settle(this.client.deleteIndex(uid), LATER).catch(ignoring('index_not_found'))
  }

  /** Marks a filled index as such and exchanges it for the live one, in one step. */
  async promote(uid: string): Promise<void> {
    const made = this.client.createIndex(this.live, { primaryKey: PRIMARY_KEY })
    await Promise.all([
      this.#settle(this.of(uid).addDocuments([MARKER]), LATER),
      this.#settle(made, LATER).catch(ignoring('index_already_exists')),
    ])
    await this.#settle(
      this.client.swapIndexes([{ indexes: [uid, this.live], rename: false }]),
      LATER,
    )
  }

  /** Has documents put into an index that is being built, some time after this returned. */
  fill(uid: string, lines: Buffer): Promise<EnqueuedTask> {
    return call(this.#load(uid, lines))
  }

  /** Waits until a task of a build is done. */
  async done(task: EnqueuedTask): Promise<void> {
    await this.#settle(Promise.resolve(task), LATER)
  }

  /** Puts and deletes documents, and waits until that is done. */
  async write(uid: string, documents: SearchDocument[], goneIds: string[]): Promise<void> {
    const index = this.of(uid)
    const indexed = documents.map(indexedDocument)
    const put = indexed.length > 0 && index.addDocuments(indexed, { primaryKey: PRIMARY_KEY })
    const drop = goneIds.length > 0 && index.deleteDocuments(goneIds)
    // Both are enqueued before either is awaited, so that Meilisearch may work on them as one.
    const settled = await Promise.allSettled([
      put && this.#settle(put, SOON),
      drop && this.#settle(drop, SOON),
    ])
    for (const outcome of settled) if (outcome.status === 'rejected') throw outcome.reason
  }

  #settle(enqueued: Promise<EnqueuedTask>, patience: Patience): Promise<void> {
    return settle(this.client, enqueued, patience)
  }
}

function ignoring(code: string) {
  return (error: unknown) => {
    if (!(error instanceof TaskFailed && error.code === code)) throw error
  }
}
