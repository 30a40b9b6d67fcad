import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StreamPosition } from '@stoa/shared/bus/stream-state.js'
import type { SearchDocument } from '@stoa/shared/contracts/search.js'
import type { EnqueuedTask } from 'meilisearch'
import { signal } from '../../../../tests/support/signal.ts'
import { ForumIndex, MARKER, mergeNote } from '../indexing/forum-index.ts'
import {
  createIndex,
  dropIndex,
  prepareIndex,
  promoteIndex,
  withoutBeside,
} from '../indexing/index-generations.ts'
import { connectMeili, LATER_MS } from '../meilisearch/meili.ts'

/** Changes and reads the indexes of one forum without its search. */
export class ForumMeili {
  readonly prefix: string
  readonly #server: { url: string; key: string }

  constructor(server: { url: string; key: string }, prefix: string) {
    this.#server = server
    this.prefix = prefix
  }

  /** Fails at once if the server is gone, instead of each later wait at the end of its bound. */
  isThere(): Promise<unknown> {
    return this.#atIndex(({ client }) => client.health())
  }

  /** Deletes the indexes of this forum whose names go on with `name` after its prefix. */
  wipe(name = ''): Promise<void> {
    return this.#atIndex(async (index) => {
      const { results } = await index.client.getRawIndexes({ limit: 1_000 })
      const wanted = results.filter(({ uid }) => uid.startsWith(this.prefix + name))
      await Promise.all(withoutBeside(wanted).map(({ uid }) => dropIndex(index, uid)))
    })
  }

  /** Deletes all documents of the indexes that are searched, and leaves the indexes. */
  empty(): Promise<void> {
    return this.#atIndex(async (index) => {
      const emptied = index.searched.map((uid) => index.of(uid).deleteAllDocuments())
      await Promise.all(emptied.map((task) => index.settle(task, LATER_MS)))
    })
  }

  /**
   * Keeps Meilisearch at one task, and from all others of any forum, until the returned function is
   * called: Meilisearch exports the live index, which must exist, to a server that lets it wait.
   */
  async holdUp(): Promise<() => Promise<void>> {
    const asked = signal()
    const released = signal()
    const other = createServer(async (_, answer) => {
      asked.give()
      await released.given
      // Nothing is left to do of the task that was held up.
      answer.writeHead(400).end()
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const url = `http://127.0.0.1:${port}`
    const { taskUid } = await this.#atIndex(({ client, live }) => {
      const body = { url, indexes: { [live]: {} } }
      return client.httpRequest.post<EnqueuedTask>({ path: 'export', body })
    })
    await asked.given
    return async () => {
      released.give()
      // Meilisearch hangs up after 5 s and asks again later; without an answer then, it would try
      // for 15 minutes.
      await this.#atIndex(({ client }) => client.tasks.waitForTask(taskUid, { timeout: LATER_MS }))
      await new Promise((resolve) => other.close(resolve))
    }
  }

  /** The indexes being built for which tasks wait or run. */
  buildsWaitedFor(): Promise<string[]> {
    return this.#atIndex(async ({ client, buildPrefix }) => {
      const statuses = ['enqueued', 'processing'] as const
      const { results } = await client.tasks.getTasks({ statuses: [...statuses], limit: 1_000 })
      const uids = new Set(results.map(({ indexUid }) => indexUid ?? ''))
      const builds = [...uids].filter((uid) => uid.startsWith(buildPrefix))
      return withoutBeside(builds.map((uid) => ({ uid }))).map(({ uid }) => uid)
    })
  }

  /** How many indexes are being built, or were left. */
  builds(): Promise<number> {
    return this.#atIndex(async ({ client, buildPrefix }) => {
      const { results } = await client.getRawIndexes({ limit: 1_000 })
      return results.filter(({ uid }) => uid.startsWith(buildPrefix)).length
    })
  }

  /** Leaves an index half built, with these documents, as a killed replica does. */
  async leaveBuild(...documents: SearchDocument[]): Promise<void> {
    await this.#atIndex(async (index) => {
      const uid = leftIn(index)
      await createIndex(index, uid)
      await prepareIndex(index, uid)
      await index.write([uid], documents, [])
    })
  }

  /** Ends what `leaveBuild` left, as its replica would, at this position. */
  async endBuild(position: StreamPosition): Promise<void> {
    await this.#atIndex(async (index) => {
      await promoteIndex(index, leftIn(index), position)
      await dropIndex(index, leftIn(index))
    })
  }

  /** Notes that this document was moved, as a replica does that is killed right after. */
  async noteMerging({ id }: SearchDocument): Promise<void> {
    await this.#atIndex(async (index) => {
      await index.done(await index.fill(index.live, Buffer.from(JSON.stringify(mergeNote([id])))))
    })
  }

  /** Takes a document out of the live index. */
  async forget({ id }: SearchDocument): Promise<void> {
    await this.#atIndex((index) => index.forget(index.live, [id]))
  }

  /** Marks the live index as indexed by another release, with this schema. */
  async markAs(schema: number): Promise<void> {
    await this.#atIndex(async (index) => {
      const marked = index.of(index.live).updateDocuments([{ id: MARKER.id, schema }])
      await index.settle(marked, LATER_MS)
    })
  }

  /** The last event of which search has noted that it is in its indexes. */
  notedTo(): Promise<number | undefined> {
    return this.#atIndex(async (index) => (await index.position())?.position)
  }

  /** How many documents its indexes have. */
  sizes(): Promise<{ live: number; recent: number }> {
    return this.#atIndex(async (index) => ({
      live: await index.sizeOf(index.live),
      recent: await index.sizeOf(index.recent),
    }))
  }

  async #atIndex<T>(use: (index: ForumIndex) => Promise<T>): Promise<T> {
    const server = connectMeili(this.#server.url, this.#server.key)
    try {
      return await use(new ForumIndex(server, this.prefix))
    } finally {
      server.close()
    }
  }
}

function leftIn({ buildPrefix }: ForumIndex): string {
  return `${buildPrefix}left`
}
