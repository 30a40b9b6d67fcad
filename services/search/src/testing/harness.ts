import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Bus, connectBus } from '@stoa/shared/bus/bus.js'
import { cloudEvent } from '@stoa/shared/bus/events.js'
import { answer, reply, serve } from '@stoa/shared/bus/serve.js'
import { acknowledgedTo, streamState } from '@stoa/shared/bus/stream-state.js'
import { ensureStreams, STREAMS } from '@stoa/shared/bus/streams.js'
import { forumEvent } from '@stoa/shared/contracts/events.js'
import { serviceHealth } from '@stoa/shared/contracts/health.js'
import { type RebuildState, rebuildSearch } from '@stoa/shared/contracts/rebuild.js'
import {
  findHits,
  listDocuments,
  listDocumentVersions,
  type SearchDocument,
} from '@stoa/shared/contracts/search.js'
import { isAppError } from '@stoa/shared/errors/errors.js'
import { kindOfId, newId, randomToken } from '@stoa/shared/identifiers/ids.js'
import { readConfig } from '@stoa/shared/process/config.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import type { Running } from '@stoa/shared/process/service.js'
import { ROOT } from '../../../../deploy/local/paths.mjs'
import { run } from '../../../../deploy/local/processes/run.mjs'
import { allOrNothing, type Stops } from '../../../../tests/support/all-or-nothing.ts'
import { OwnNats } from '../../../../tests/support/own-nats.ts'
import { DURABLE } from '../building/missed-events.ts'
import { SearchConfig } from '../config.ts'
import { startSearch } from '../start-search.ts'
import { ForumMeili } from './forum-meili.ts'

const META = { requestId: 'test', remainingMs: 5_000 }
const REBUILD_ASKED_MAX = 10
/** The client's own second is too short for a stream on a busy machine. */
const WITHIN = { timeout: 10_000 }

let clock = Date.UTC(2026, 0, 1)

export function aPost(more: Partial<SearchDocument> = {}): SearchDocument {
  clock += 1_000
  return {
    id: newId('post'),
    type: 'post',
    version: 1,
    title: 'A title',
    summary: 'A summary',
    body_md: 'A body',
    kind: 'result',
    community: 'general',
    tags: [],
    agent: 'ada',
    score: 0,
    created_at: clock,
    ...more,
  }
}

/** Search on a private bus, with documents of the test behind content's contracts. */
export class Forum {
  readonly documents = new Map<string, SearchDocument>()
  readonly prefix = `test_${randomToken(4)}_`
  readonly #stops: Stops
  readonly #running: Running[] = []
  readonly #server: { url: string; key: string }
  readonly meili: ForumMeili
  content!: Bus
  gateway!: Bus
  operator!: Bus
  /** A connection of the service search, for a replica that does what a test says. */
  replica!: Bus
  /** What search has logged. */
  readonly logged: string[] = []
  /** Runs while documents are read, before the answer; `limit` is 1 if they are only counted. */
  whileReading: (limit: number) => Promise<void> | void = () => {}
  /** Runs before versions are told. */
  beforeComparing: () => Promise<void> | void = () => {}
  #searchUrl!: string
  #operatorUrl!: string

  private constructor(server: { url: string; key: string }, stops: Stops) {
    this.#server = server
    this.#stops = stops
    this.meili = new ForumMeili(server, this.prefix)
  }

  static start(server: { url: string; key: string }): Promise<Forum> {
    return allOrNothing(async (stops) => {
      const forum = new Forum(server, stops)
      const nats = await OwnNats.start()
      stops.add(() => nats.remove())
      forum.#searchUrl = nats.urlFor('search')
      forum.#operatorUrl = nats.url
      forum.content = await forum.#connect('content', nats.urlFor('content'))
      forum.gateway = await forum.#connect('gateway', nats.urlFor('gateway'))
      forum.operator = await forum.#connect('content', forum.#operatorUrl)
      forum.replica = await forum.#connect('search', forum.#searchUrl)
      await ensureStreams(forum.content.nc)
      await forum.#serveContent()
      return forum
    })
  }

  async #connect(name: Parameters<typeof connectBus>[0], url: string): Promise<Bus> {
    const bus = await connectBus(name, url)
    this.#stops.add(() => bus.close())
    return bus
  }

  #serveContent(): Promise<unknown> {
    const answers = [
      answer(listDocuments, async (_: object, wanted) => {
        const all = [...this.documents.values()]
        const items = wanted.ids
          ? wanted.ids.flatMap((id) => this.documents.get(id) ?? [])
          : all
              .filter(({ type, id }) => type === wanted.type && id > (wanted.after_id ?? ''))
              .sort((a, b) => (a.id < b.id ? -1 : 1))
              .slice(0, wanted.limit)
        const total = all.filter(({ type }) => type === wanted.type).length
        const answered = reply({ object: 'documents' as const, items: [...items], total })
        await this.whileReading(wanted.limit)
        return answered
      }),
      answer(listDocumentVersions, async (_: object, { ids }) => {
        await this.beforeComparing()
        const found = ids.flatMap((id) => this.documents.get(id) ?? [])
        return reply({
          versions: Object.fromEntries(found.map((one) => [one.id, one.version])),
          times: Object.fromEntries(found.map((one) => [one.id, one.created_at])),
        })
      }),
    ]
    return serve(this.content, {}, answers, createLogger('content', 'silent'))
  }

  #settings() {
    return {
      NATS_URL: this.#searchUrl,
      MEILI_URL: this.#server.url,
      MEILI_KEY: this.#server.key,
      INDEX_PREFIX: this.prefix,
    }
  }

  async startSearch(overrides: Record<string, string> = {}): Promise<Running> {
    const write = (line: string) => void this.logged.push(line)
    const config = readConfig(SearchConfig, { ...this.#settings(), ...overrides })
    const running = await startSearch(config, createLogger('search', 'info', { write }))
    this.#running.push(running)
    return running
  }

  /** Starts search as a process, for tests of how it ends; resolves when it is ready. */
  async startSearchProcess(): Promise<ChildProcess> {
    const child = spawn(process.execPath, [join(ROOT, 'services/search/dist/main.js')], {
      env: { ...process.env, BASE_URL: 'http://localhost:8080', ...this.#settings() },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#stops.add(async () => void child.kill('SIGKILL'))
    for await (const line of createInterface(child.stdout)) {
      this.logged.push(line)
      if (JSON.parse(line).msg === 'ready') break
    }
    return child
  }

  /** Stops what `startSearch` started. */
  async stopSearch(): Promise<void> {
    for (const running of this.#running.splice(0)) await running.close()
  }

  /** Stops what `startSearch` started, and forgets every document. */
  async reset(): Promise<void> {
    await this.stopSearch()
    this.documents.clear()
    this.logged.length = 0
    this.whileReading = () => {}
    this.beforeComparing = () => {}
    if (this.#server.url) await this.meili.wipe()
  }

  /** Makes documents public and tells of them. */
  async publish(...documents: SearchDocument[]): Promise<void> {
    for (const document of documents) this.documents.set(document.id, document)
    await this.tell('published', ...documents.map(({ id }) => id))
  }

  /** Takes documents back and tells of it. */
  async remove(...documents: SearchDocument[]): Promise<void> {
    for (const { id } of documents) this.documents.delete(id)
    await this.tell('removed', ...documents.map(({ id }) => id))
  }

  async tell(verb: string, ...ids: string[]): Promise<void> {
    const { nc } = this.content
    const told = ids.map((id) => {
      const event = cloudEvent(forumEvent, 'content', id, {
        id,
        post_id: null,
        community_slug: null,
        agent_handle: null,
        visibility: verb === 'removed' ? 'removed' : 'public',
        revision: 1,
      })
      // A stream acknowledges a message that it has stored by a reply.
      return nc.request(`forum.${kindOfId(id)}.${verb}`, JSON.stringify(event), WITHIN)
    })
    await Promise.all(told)
  }

  /** Drops all events, as the bus does with old ones. */
  async expireEvents(): Promise<void> {
    await this.operator.nc.request('$JS.API.STREAM.PURGE.FORUM', '', WITHIN)
  }

  /** The sequence of the last event of the stream. */
  async told(): Promise<number> {
    return (await streamState(this.content.nc, STREAMS.forum.name)).lastSeq
  }

  /** The sequence up to which search has handled all events. */
  consumedTo(): Promise<number> {
    return acknowledgedTo(this.content.nc, STREAMS.forum.name, DURABLE)
  }

  /** How many events were given up. */
  async deadLetters(): Promise<number> {
    const info = await this.content.nc.request('$JS.API.STREAM.INFO.DEAD', '', WITHIN)
    return info.json<{ state: { messages: number } }>().state.messages
  }

  search(input: Record<string, unknown> = {}) {
    return this.gateway.request(findHits, findHits.input.parse(input) as never, META)
  }

  async ids(input: Record<string, unknown> = {}): Promise<string[]> {
    return (await this.search(input)).hits.map(({ id }) => id)
  }

  /**
   * A busy Meilisearch answers late that a rebuild began, so this asks again as the command does.
   */
  async rebuild(start: boolean): Promise<RebuildState> {
    for (let left = REBUILD_ASKED_MAX; ; left--) {
      try {
        return await this.operator.request(rebuildSearch, { start }, META)
      } catch (error) {
        if (left === 0 || !(isAppError(error) && error.code === 'timeout')) throw error
      }
    }
  }

  rebuildByCommand(): Promise<{ code: number; output: string }> {
    return run(this.#rebuildCommand())
  }

  /** The same, for tests of what the command prints while it runs. */
  beginRebuildByCommand(): { said: () => string; code: Promise<number | null> } {
    let output = ''
    const { command, args, env } = this.#rebuildCommand()
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk
      })
    }
    const code = once(child, 'close').then(([status]) => status)
    return { said: () => output, code }
  }

  /** What `npm run rebuild -- search` runs. */
  #rebuildCommand() {
    return {
      command: process.execPath,
      args: [join(ROOT, 'packages/shared/dist/cli/rebuild.js'), 'search'],
      env: { ...process.env, NATS_URL: this.#operatorUrl },
    }
  }

  health() {
    return this.gateway.request(serviceHealth.search, {}, META)
  }

  async close(): Promise<void> {
    await this.reset().catch(() => {})
    await this.#stops.stop()
  }
}
