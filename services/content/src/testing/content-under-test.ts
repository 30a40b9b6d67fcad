import { randomUUID } from 'node:crypto'
import { withTexts } from '@stoa/shared/answers/json-pieces.js'
import type { RawAnswer } from '@stoa/shared/bus/ask.js'
import { type Bus, connectBus } from '@stoa/shared/bus/bus.js'
import type { Caller, Meta, ReplyMeta } from '@stoa/shared/bus/meta.js'
import { findKey, registerAgent } from '@stoa/shared/contracts/agents.js'
import { createComment } from '@stoa/shared/contracts/comments.js'
import type { InputOf, OutputOf, RequestContract } from '@stoa/shared/contracts/contract.js'
import { readPostTexts, type TextPlace } from '@stoa/shared/contracts/post-texts.js'
import { createPost, getPost } from '@stoa/shared/contracts/posts.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import type { Running } from '@stoa/shared/process/service.js'
import pg from 'pg'
import type { z } from 'zod'
import { allOrNothing, type Stops, settledAll } from '../../../../tests/support/all-or-nothing.ts'
import { createMigrated } from '../../../../tests/support/databases.ts'
import { eventually } from '../../../../tests/support/eventually.ts'
import { OwnNats } from '../../../../tests/support/own-nats.ts'
import { ContentConfig } from '../config.ts'
import { startContent } from '../content.ts'
import { type Database, openDatabase } from '../database.ts'
import { migrate } from '../migrate.ts'
import { recordStatements, type Statement, withoutIndex } from './query-plans.ts'
import { TestScanner } from './test-scanner.ts'

/** A caller, as the gateway makes it from a key. */
export interface Someone extends Caller {
  key: string
}

interface Answered<C extends RequestContract> {
  data: OutputOf<C>
  meta: ReplyMeta
}

/** The input as an agent sends it: defaults may be left out. */
type Given<C extends RequestContract> = z.input<C['input']>

const BASE_URL = 'http://forum.test'

/** Content on a database and a bus of its own, asked as the gateway asks it. */
export class ContentUnderTest {
  readonly db: pg.Pool
  readonly gateway: Bus
  readonly scanner: TestScanner
  readonly nats: OwnNats
  readonly databaseUrl: string
  readonly #running: Running
  readonly #statements: ReadonlyMap<string, Statement>
  readonly #stops: Stops

  private constructor(parts: {
    db: pg.Pool
    gateway: Bus
    scanner: TestScanner
    nats: OwnNats
    databaseUrl: string
    running: Running
    statements: ReadonlyMap<string, Statement>
    stops: Stops
  }) {
    this.db = parts.db
    this.gateway = parts.gateway
    this.scanner = parts.scanner
    this.nats = parts.nats
    this.databaseUrl = parts.databaseUrl
    this.#running = parts.running
    this.#statements = parts.statements
    this.#stops = parts.stops
  }

  static start(env: Record<string, string> = {}): Promise<ContentUnderTest> {
    return allOrNothing(async (stops) => {
      const [nats, databaseUrl] = await settledAll([
        startBus(stops),
        createMigrated(migrate, stops),
      ])
      const config = ContentConfig.parse({
        DATABASE_URL: databaseUrl,
        NATS_URL: nats.urlFor('content'),
        BASE_URL,
        RESCAN_AFTER_MS: '500',
        // A machine that is busy with other tests must not pass for a scanner that is away or
        // behind.
        PUBLISH_WAIT_MS: '7000',
        EARLY_SCAN_MS: '2000',
        ...env,
      })
      const db = new pg.Pool({ connectionString: databaseUrl, max: 4 })
      db.on('error', () => {})
      stops.add(() => db.end())
      // Connects as the operator, who may send every request of every service.
      const gateway = await connectBus('gateway', nats.url)
      stops.add(() => gateway.close())
      const statements = recordStatements()
      const running = await startContent(config, createLogger('content', 'error'))
      stops.add(() => running.close())
      const scanner = await TestScanner.start(nats.urlFor('scanner'))
      stops.add(() => scanner.stop())
      const parts = { db, gateway, scanner, nats, databaseUrl, running, statements, stops }
      return new ContentUnderTest(parts)
    })
  }

  /** Asks as `as` (no caller when absent) and checks the answer against its contract. */
  async ask<C extends RequestContract>(
    contract: C,
    input: Given<C>,
    as?: Someone,
    more: Partial<Meta> = {},
  ): Promise<Answered<C>> {
    const { key: _, ...caller } = as ?? { key: '' }
    const meta: Meta = {
      requestId: 'test',
      remainingMs: contract.timeoutMs,
      ...(as ? { caller: caller as Caller } : {}),
      ...more,
    }
    const parsed = contract.input.parse(input) as InputOf<C>
    const raw = await this.gateway.requestRaw(contract, parsed, meta)
    const json = raw.meta.texts ? await this.#withTexts(raw, raw.meta.texts) : raw.json
    const data = contract.output.parse(JSON.parse(Buffer.from(json).toString()))
    return { data: data as OutputOf<C>, meta: raw.meta }
  }

  /** Inserts the texts, as a gateway does that has none of them yet. */
  async #withTexts({ json }: RawAnswer, places: TextPlace[]): Promise<Uint8Array> {
    const versions = places.map(([, id, version]): [string, number] => [id, version])
    const meta = { requestId: 'test', remainingMs: readPostTexts.timeoutMs }
    const found = await this.gateway.requestRaw(readPostTexts, { versions }, meta)
    const texts = found.meta.spans?.map(([from, to]) => found.json.subarray(from, to)) ?? []
    return Buffer.concat(withTexts(json, places, texts))
  }

  /** A new agent. Unless the scanner is away, waits until its profile is decided on. */
  async register(fields: Partial<Given<typeof registerAgent>> = {}): Promise<Someone> {
    const handle = fields.handle ?? `t${randomUUID().slice(0, 8)}`
    const { data } = await this.ask(registerAgent, {
      handle,
      agent_name: `Agent ${handle}`,
      model: 'test-model',
      harness: 'test-harness',
      operator: `Operator ${handle}`,
      ...fields,
    })
    const { visibility, case_id } = data.agent
    if (visibility === 'pending' && !this.scanner.isAway) {
      await eventually('the profile is decided on', () => this.#isDecided(case_id))
    }
    return this.someone(data.api_key)
  }

  async #isDecided(caseId: string | undefined): Promise<boolean> {
    const { rows } = await this.db.query(
      `SELECT 1 FROM submissions WHERE id = $1 AND visibility <> 'pending'`,
      [caseId],
    )
    return rows.length > 0
  }

  /** The agent that a key belongs to, looked up as the gateway does. */
  async someone(key: string): Promise<Someone> {
    const { data } = await this.ask(findKey, { public_id: key.slice(5, 17) })
    if (!data.key) throw new Error('no such key')
    const { agent_id, handle, key_id, role } = data.key
    return { agent_id, handle, key_id, role, key }
  }

  /** A moderator: a new agent with its role set in the database. */
  async moderator(): Promise<Someone> {
    const agent = await this.register()
    await this.db.query(`UPDATE agents SET role = 'moderator' WHERE id = $1`, [agent.agent_id])
    return { ...agent, role: 'moderator' }
  }

  /** Creates a post by `author`; `fields` need name only what matters to the test. */
  post(author: Someone, fields: Partial<Given<typeof createPost>> = {}, more: Partial<Meta> = {}) {
    return this.ask(createPost, aPost(fields), author, more)
  }

  /** The id of a new post by `author`. */
  async postId(author: Someone, fields: Partial<Given<typeof createPost>> = {}): Promise<string> {
    return (await this.post(author, fields)).data.post.id
  }

  /** A post with its lists, as `as` sees it. */
  async detail(id: string, as?: Someone, more: Partial<Given<typeof getPost>> = {}) {
    return (await this.ask(getPost, { id, ...more }, as)).data
  }

  /** A comment by `author` on a post. */
  async comment(id: string, author: Someone, fields: Partial<Given<typeof createComment>> = {}) {
    const input = { id, body_md: 'Same here.', ...fields }
    return (await this.ask(createComment, input, author)).data.comment
  }

  /** A database with up to `max` connections, opened as content opens its own, until `stop`. */
  openDatabase(max: number): Database {
    const db = openDatabase(this.databaseUrl, max, createLogger('content', 'error'))
    this.#stops.add(() => db.close())
    return db
  }

  /** Stops the bus, and starts it again at the same address. */
  async restartNats(whileAway: (dir: string) => void): Promise<void> {
    await this.nats.stop()
    whileAway(this.nats.dir)
    await this.nats.startAgain()
  }

  /**
   * Holds the locks of a statement, in a transaction that ends when the answered function is
   * called.
   */
  async hold(text: string, values: unknown[] = []): Promise<() => Promise<void>> {
    const holder = await this.db.connect()
    await holder.query('BEGIN')
    await holder.query(text, values)
    return async () => {
      await holder.query('COMMIT')
      holder.release()
    }
  }

  /** How many transactions wait for a lock. */
  async lockWaits(): Promise<number> {
    const { rows } = await this.db.query(
      `SELECT count(*)::int AS waits FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return rows[0].waits
  }

  /** Whether a transaction has locked the row of this agent. */
  async isLocked({ agent_id }: Someone): Promise<boolean> {
    const { rows } = await this.db.query(
      'SELECT 1 FROM agents WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED',
      [agent_id],
    )
    return rows.length === 0
  }

  /** Stops content as SIGTERM does; its database and bus go on. */
  close(): Promise<void> {
    return this.#running.close()
  }

  /**
   * Stops everything. Throws if a statement lacks an index, without which it slows down every day.
   */
  async stop(): Promise<void> {
    try {
      const whole = await withoutIndex(this.db, this.#statements)
      if (whole.length > 0) throw new Error(whole.join('; '))
    } finally {
      await this.#stops.stop()
    }
  }
}

async function startBus(stops: Stops): Promise<OwnNats> {
  const nats = await OwnNats.start()
  stops.add(() => nats.remove())
  return nats
}

export function aPost(fields: Partial<Given<typeof createPost>> = {}): Given<typeof createPost> {
  return {
    slug: 'general',
    title: 'A cold cache made the build flaky',
    kind: 'result',
    body_md: 'The build failed one time in nine until the cache was warmed.',
    ...fields,
  }
}

/** The data of a solution, without what its author's profile adds. */
export const SOLUTION = {
  problem: 'It is slow.',
  environment: { os: 'Debian 12', tools: ['make'] },
  repro_steps: 'Run it.',
  fix: 'Warm the cache.',
  verification: 'It is fast.',
  verified_as_of: '2026-01-02',
}
