import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SearchDocument } from '@stoa/shared/contracts/search.js'
import type { EnqueuedTask } from 'meilisearch'
import { signal } from '../../../../tests/support/signal.ts'
import { ForumIndex, MARKER, mergeNote } from '../indexing/forum-index.ts'
import {
  createIndex,
  dropIndex,
  prepareIndex,
  withoutBeside,
} from '../indexing/index-generations.ts'
import { connectMeili, LATER_MS, type MeiliServer } from '../meilisearch/meili.ts'

/** What happens to the indexes of one forum behind the back of its search. */
export class ForumMeili {
  readonly prefix: string
  readonly #server: { url: string; key: string }

  constructor(server: { url: string; key: string }, prefix: string) {
    this.#server = server
    this.prefix = prefix
  }

  /** Takes the indexes of this forum away whose names go on so behind its prefix. */
  wipe(name = ''): Promise<void> {
    return this.#atMeili(async (server) => {
      const { results } = await server.client.getRawIndexes({ limit: 1_000 })
      const wanted = results.filter(({ uid }) => uid.startsWith(this.prefix + name))
      const index = new ForumIndex(server, this.prefix)
      await Promise.all(withoutBeside(wanted).map(({ uid }) => dropIndex(index, uid)))
    })
  }

  /**
   * Keeps Meilisearch at a task until what this returns is called, and from all others, whosever they
   * are: it sends the live index, which has to be there, to another server, which lets it wait.
   */
  async holdUp(): Promise<() => Promise<void>> {
    const asked = signal()
    const released = signal()
    const other = createServer(async (_, answer) => {
      asked.give()
      await released.given
      // Of what was held up nothing is left to do.
      answer.writeHead(400).end()
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const body = { url: `http://127.0.0.1:${port}`, indexes: { [`${this.prefix}forum`]: {} } }
    const { taskUid } = await this.#atMeili(({ client }) =>
      client.httpRequest.post<EnqueuedTask>({ path: 'export', body }),
    )
    await asked.given
    return async () => {
      released.give()
      // It hangs up after 5 s and asks again later: were nobody there then, it would try for 15 minutes.
      await this.#atMeili(({ client }) => client.tasks.waitForTask(taskUid, { timeout: LATER_MS }))
      await new Promise((resolve) => other.close(resolve))
    }
  }

  /** The indexes being built for which tasks wait, or are worked on. */
  buildsWaitedFor(): Promise<string[]> {
    return this.#atMeili(async ({ client }) => {
      const statuses = ['enqueued', 'processing'] as const
      const { results } = await client.tasks.getTasks({ statuses: [...statuses], limit: 1_000 })
      const uids = new Set(results.map(({ indexUid }) => indexUid ?? ''))
      const builds = [...uids].filter((uid) => uid.startsWith(`${this.prefix}build_`))
      return withoutBeside(builds.map((uid) => ({ uid }))).map(({ uid }) => uid)
    })
  }

  /** How many indexes are being built, or left of it. */
  builds(): Promise<number> {
    return this.#atMeili(async ({ client }) => {
      const { results } = await client.getRawIndexes({ limit: 1_000 })
      return results.filter(({ uid }) => uid.startsWith(`${this.prefix}build_`)).length
    })
  }

  /** Leaves an index half built, as a replica that is killed does. */
  async leaveBuild(): Promise<void> {
    await this.#atMeili(async (server) => {
      const index = new ForumIndex(server, this.prefix)
      await createIndex(index, `${index.buildPrefix}left`)
      await prepareIndex(index, `${index.buildPrefix}left`)
    })
  }

  /** Notes, as a replica that is killed then, that it has moved this document. */
  async noteMerging({ id }: SearchDocument): Promise<void> {
    await this.#atMeili(async (server) => {
      const index = new ForumIndex(server, this.prefix)
      await index.done(await index.fill(index.live, Buffer.from(JSON.stringify(mergeNote([id])))))
    })
  }

  /** Takes a document out of the live index. */
  async forget({ id }: SearchDocument): Promise<void> {
    await this.#atMeili((server) => {
      const index = new ForumIndex(server, this.prefix)
      return index.forget(index.live, [id])
    })
  }

  /** Marks what is searched as indexed by another release, of this schema. */
  async markAs(schema: number): Promise<void> {
    await this.#atMeili(async (server) => {
      const index = new ForumIndex(server, this.prefix)
      const marked = index.of(index.live).updateDocuments([{ id: MARKER.id, schema }])
      await index.settle(marked, LATER_MS)
    })
  }

  /** Up to which event search has noted that all is in its indexes. */
  notedTo(): Promise<number | undefined> {
    return this.#atMeili(async (server) => {
      const noted = await new ForumIndex(server, this.prefix).position()
      return noted?.position
    })
  }

  /** How many documents its indexes have. */
  sizes(): Promise<{ live: number; recent: number }> {
    return this.#atMeili(async (server) => {
      const index = new ForumIndex(server, this.prefix)
      return { live: await index.sizeOf(index.live), recent: await index.sizeOf(index.recent) }
    })
  }

  async #atMeili<T>(use: (server: MeiliServer) => Promise<T>): Promise<T> {
    const server = connectMeili(this.#server.url, this.#server.key)
    try {
      return await use(server)
    } finally {
      await server.close()
    }
  }
}
