import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bus, connectBus } from '@stoa/shared/bus/bus.js'
import { cloudEvent } from '@stoa/shared/bus/events.js'
import { answer, reply, serve } from '@stoa/shared/bus/serve.js'
import { ensureStreams } from '@stoa/shared/bus/streams.js'
import { type RankPost, rankPost } from '@stoa/shared/contracts/events.js'
import { listHot } from '@stoa/shared/contracts/feed.js'
import { serviceHealth } from '@stoa/shared/contracts/health.js'
import { rankSnapshot } from '@stoa/shared/contracts/rank.js'
import { rebuildRanking } from '@stoa/shared/contracts/rebuild.js'
import { newId, randomToken } from '@stoa/shared/identifiers/ids.js'
import { readConfig } from '@stoa/shared/process/config.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import type { Running } from '@stoa/shared/process/service.js'
import { Redis } from 'ioredis'
import { ROOT } from '../../../../deploy/local/paths.mjs'
import { run } from '../../../../deploy/local/processes/run.mjs'
import { type Server, startRedis } from '../../../../deploy/local/servers/servers.mjs'
import { allOrNothing, type Stops } from '../../../../tests/support/all-or-nothing.ts'
import { OwnNats } from '../../../../tests/support/own-nats.ts'
import { RankingConfig } from '../config.ts'
import { keysOf } from '../keys.ts'
import { startRanking } from '../start-ranking.ts'

const EPOCH_MS = Date.UTC(2026, 0, 1)
const META = { requestId: 'test', remainingMs: 5_000 }
/** The client's own second is too short for a stream on a busy machine. */
const WITHIN = { timeout: 10_000 }

/** A post that was published this many seconds after the epoch. */
export function aPost(seconds: number, more: Partial<RankPost> = {}): RankPost {
  return {
    post_id: newId('post'),
    community_slug: 'general',
    visible: true,
    created_at_ms: EPOCH_MS + seconds * 1_000,
    score: 0,
    comments: 0,
    independent_reproductions: 0,
    failed: 0,
    revision: 1,
    ...more,
  }
}

/** Ranking on a private bus, with posts of the test behind content's contract. */
export class Forum {
  readonly posts = new Map<string, RankPost>()
  readonly prefix = `test-${randomToken(4)}:`
  readonly keys = keysOf(this.prefix)
  snapshotCalls = 0
  failSnapshots = false
  /** Makes every page of a snapshot after the first fail. */
  failFurtherPages = false
  /** Runs while a page is read, before it is answered. */
  whileReading: () => Promise<void> | void = () => {}
  /** What ranking has logged. */
  readonly logged: string[] = []
  readonly #stops: Stops
  readonly #running: Running[] = []
  content!: Bus
  gateway!: Bus
  operator!: Bus
  redis!: Redis
  redisUrl!: string
  #operatorUrl!: string
  #rankingUrl!: string
  #dir!: string
  #redisServer!: Server

  private constructor(stops: Stops) {
    this.#stops = stops
  }

  /** Gives the forum a Redis of its own if the test wants to stop or fill it. */
  static start({ ownRedis = false } = {}): Promise<Forum> {
    return allOrNothing(async (stops) => {
      const forum = new Forum(stops)
      const nats = await OwnNats.start()
      stops.add(() => nats.remove())
      const shared = ownRedis ? undefined : process.env.TEST_REDIS_URL
      forum.redisUrl = shared ?? (await forum.#privateRedis())
      forum.redis = new Redis(forum.redisUrl)
      forum.redis.on('error', () => {})
      stops.add(() => forum.redis.disconnect())
      forum.#rankingUrl = nats.urlFor('ranking')
      forum.#operatorUrl = nats.url
      forum.content = await forum.#connect('content', nats.urlFor('content'))
      forum.gateway = await forum.#connect('gateway', nats.urlFor('gateway'))
      forum.operator = await forum.#connect('content', forum.#operatorUrl)
      await ensureStreams(forum.content.nc)
      await forum.#serveSnapshots()
      return forum
    })
  }

  async #connect(name: Parameters<typeof connectBus>[0], url: string): Promise<Bus> {
    const bus = await connectBus(name, url)
    this.#stops.add(() => bus.close())
    return bus
  }

  async #privateRedis(): Promise<string> {
    const dir = mkdtempSync(join(tmpdir(), 'stoa-ranking-'))
    this.#dir = dir
    this.#stops.add(() => rmSync(dir, { recursive: true, force: true }))
    await this.startRedis()
    this.#stops.add(() => this.stopRedis())
    return this.#redisServer.url
  }

  /** Starts the forum's own Redis again, at the same port and with its data. */
  async startRedis(): Promise<void> {
    const port = this.#redisServer?.port
    this.#redisServer = await startRedis({ dir: join(this.#dir, 'redis'), port })
  }

  async stopRedis(): Promise<void> {
    await this.#redisServer.stop()
  }

  /** The folder in which the forum's own Redis stores its data. */
  get redisFiles(): string {
    return join(this.#dir, 'redis', 'appendonlydir')
  }

  #serveSnapshots(): Promise<unknown> {
    const snapshot = answer(rankSnapshot, async (_: object, { before_id, limit }) => {
      this.snapshotCalls++
      const isFurther = before_id !== undefined
      if (this.failSnapshots || (isFurther && this.failFurtherPages))
        throw new Error('asked to fail')
      const newestFirst = [...this.posts.values()]
        .filter((post) => post.visible)
        .sort((a, b) => (a.post_id < b.post_id ? 1 : -1))
      const items = newestFirst
        .filter((post) => before_id === undefined || post.post_id < before_id)
        .slice(0, limit)
      await this.whileReading()
      return reply({ object: 'snapshot' as const, items, total: newestFirst.length })
    })
    return serve(this.content, {}, [snapshot], createLogger('content', 'silent'))
  }

  async startRanking(overrides: Record<string, string> = {}): Promise<Running> {
    const config = readConfig(RankingConfig, {
      NATS_URL: this.#rankingUrl,
      REDIS_URL: this.redisUrl,
      REDIS_PREFIX: this.prefix,
      LEASE_MS: '900',
      ...overrides,
    })
    const write = (line: string) => void this.logged.push(line)
    const running = await startRanking(config, createLogger('ranking', 'info', { write }))
    this.#running.push(running)
    return running
  }

  /** Stops what `startRanking` started and forgets every post. */
  async reset(): Promise<void> {
    for (const running of this.#running.splice(0)) await running.close()
    this.posts.clear()
    this.logged.length = 0
    this.failSnapshots = false
    this.failFurtherPages = false
    this.whileReading = () => {}
    await this.wipe()
  }

  /** Keeps the posts for snapshots and tells them on the stream. */
  async publish(...posts: RankPost[]): Promise<void> {
    for (const post of posts) this.posts.set(post.post_id, post)
    await this.tell(...posts)
  }

  /** Tells posts on the stream only. */
  async tell(...posts: RankPost[]): Promise<void> {
    const event = (post: RankPost) =>
      cloudEvent(rankPost, 'content', post.post_id, { posts: [post] })
    // A stream acknowledges a message that it has stored by a reply.
    const { nc } = this.content
    const told = posts.map((post) => nc.request('rank.post', JSON.stringify(event(post)), WITHIN))
    await Promise.all(told)
  }

  /** The consumers of the stream. */
  async readers(): Promise<string[]> {
    const answer = await this.operator.nc.request('$JS.API.CONSUMER.NAMES.RANK', '', WITHIN)
    return answer.json<{ consumers: string[] | null }>().consumers ?? []
  }

  /** Calls the stream's own interface with a verb such as `DELETE` or `PURGE`. */
  async stream(verb: string): Promise<void> {
    await this.operator.nc.request(`$JS.API.STREAM.${verb}.RANK`, '', WITHIN)
  }

  list(input: { community?: string; before?: string; limit?: number } = {}) {
    return this.gateway.request(listHot, { limit: 100, before: undefined, ...input } as never, META)
  }

  async ids(input: { community?: string; limit?: number } = {}): Promise<string[] | null> {
    return (await this.list(input)).ranked?.map(([id]) => id) ?? null
  }

  health() {
    return this.gateway.request(serviceHealth.ranking, {}, META)
  }

  /** The name of a key of the generation served. */
  async keyOfServed(name: string): Promise<string> {
    const { generationPrefix, marker } = this.keys
    return `${generationPrefix}${await this.redis.hget(marker, 'generation')}:${name}`
  }

  /** The generations that have keys: the one served, and those being built or left. */
  generations(): Promise<string[]> {
    return this.redis.smembers(this.keys.generations)
  }

  rebuild(start: boolean) {
    return this.operator.request(rebuildRanking, { start }, META)
  }

  /** Runs what `npm run rebuild -- ranking` runs. */
  rebuildByCommand(): Promise<{ code: number; output: string }> {
    return run({
      command: process.execPath,
      args: [join(ROOT, 'packages/shared/dist/cli/rebuild.js'), 'ranking'],
      env: { ...process.env, NATS_URL: this.#operatorUrl },
    })
  }

  async wipe(): Promise<void> {
    const keys = await this.redis.keys(`*${this.prefix}*`)
    if (keys.length > 0) await this.redis.del(...keys)
  }

  async close(): Promise<void> {
    await this.reset().catch(() => {})
    await this.#stops.stop()
  }
}

export function idsOf(...posts: RankPost[]): string[] {
  return posts.map((post) => post.post_id)
}
