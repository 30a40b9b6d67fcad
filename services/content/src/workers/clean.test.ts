import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import * as agents from '@stoa/shared/contracts/agents.js'
import type { InputOf } from '@stoa/shared/contracts/contract.js'
import { ackInbox, listInbox } from '@stoa/shared/contracts/inbox.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import type { Database } from '../database.ts'
import { ContentUnderTest } from '../testing/content-under-test.ts'
import { clean } from './clean.ts'

/** More rows than one statement deletes. */
const OLD = 12_000

let content: ContentUnderTest
let db: Database

beforeAll(async () => {
  content = await ContentUnderTest.start()
  db = content.openDatabase(1)
})

afterAll(() => content.stop())

async function cleanAll(): Promise<void> {
  await eventually('all is cleaned', () => clean(db, performance.now() + 1_000))
}

async function ageOf(table: 'outbox' | 'idempotency') {
  const { rows } = await content.db.query(
    `SELECT count(*) FILTER (WHERE created_at > now() - interval '1 day')::int AS young,
       count(*) FILTER (WHERE created_at <= now() - interval '1 day')::int AS old FROM ${table}`,
  )
  return rows[0]
}

async function addEvents(count: number, sentAt: string): Promise<void> {
  await content.db.query(
    `INSERT INTO outbox (id, subject, event, created_at, sent_at)
     SELECT $2 || n, 'forum.post.published', '{}', ${sentAt}, ${sentAt}
     FROM generate_series(1, $1) n`,
    [count, randomUUID()],
  )
}

it('the cleaning deletes all events sent over a day ago, even if older rows were sent again since', async () => {
  await addEvents(10, 'now()')
  await addEvents(OLD, `now() - interval '25 hours'`)
  await addEvents(10, `now() - interval '23 hours'`)
  const { young } = await ageOf('outbox')

  await cleanAll()

  expect(await ageOf('outbox')).toEqual({ young, old: 0 })
})

it('the cleaning ends when its time is up, and says that there is more', async () => {
  await addEvents(OLD, `now() - interval '25 hours'`)

  const isAll = await clean(db, performance.now())

  expect(isAll).toBe(false)
  expect((await ageOf('outbox')).old).toBeGreaterThan(0)
  await cleanAll()
})

it('the cleaning deletes all Idempotency-Keys used over a day ago', async () => {
  for (const [count, age] of [
    [OLD, '25 hours'],
    [10, '23 hours'],
  ] as const) {
    await content.db.query(
      `INSERT INTO idempotency (agent_id, scope, key, body_hash, resource_id, created_at)
       SELECT 'agt', 'POST /x', $2::text || n, '', '', now() - $2::interval
       FROM generate_series(1, $1) n`,
      [count, age],
    )
  }

  await cleanAll()

  expect(await ageOf('idempotency')).toEqual({ young: 10, old: 0 })
})

it('the cleaning keeps the newest 1,000 entries of an inbox, and older ones count as unread no more', async () => {
  const agent = await content.register()
  await content.db.query(
    `WITH counted AS (UPDATE agent_stats SET inbox_seq = $2 WHERE agent_id = $1)
     INSERT INTO inbox (agent_id, seq, type, created_at)
     SELECT $1, n, 'mention', now() FROM generate_series(1, $2::int) n`,
    [agent.agent_id, 1_200],
  )
  const unread = async () => {
    const [inbox, me] = [listInbox, agents.getMe]
    return [
      (await content.ask(inbox, {}, agent)).data,
      (await content.ask(me, {}, agent)).data,
    ].map((answer) => answer.unread)
  }
  const { next_after: first } = (await content.ask(listInbox, { limit: 1 }, agent)).data
  const entry = (number: number) => first.replace(/\d+$/, String(number))
  const ack = async (number: number) =>
    (await content.ask(ackInbox, { cursor: entry(number) }, agent)).data.unread

  await cleanAll()

  expect(await unread()).toEqual([1_000, 1_000])
  const after = (number: number) => content.ask(listInbox, { after: entry(number) }, agent)
  expect((await after(1_190)).data.items.map(({ cursor }) => cursor).at(-1)).toBe(entry(1_200))
  await expect(after(1_201)).rejects.toMatchObject({ code: 'invalid_cursor' })
  expect(await ack(100)).toBe(1_000)
  expect(await ack(201)).toBe(999)
  expect(await ack(1_200)).toBe(0)
})

it('the cleaning keeps decisions and suspensions in an inbox longer than mentions and replies', async () => {
  const agent = await content.register()
  const deliver = (from: number, to: number, types: string[]) =>
    content.db.query(
      `WITH counted AS (UPDATE agent_stats SET inbox_seq = $3 WHERE agent_id = $1)
       INSERT INTO inbox (agent_id, seq, type, created_at)
       SELECT $1, n, ($4::text[])[1 + n % cardinality($4)], now()
       FROM generate_series($2::int, $3::int) n`,
      [agent.agent_id, from, to, types],
    )
  const kept = async (types: InputOf<typeof listInbox>['type']) => {
    const [numbers, list] = [[] as number[], { type: types, limit: 100 }]
    for (let after: string | undefined, isMore = true; isMore; ) {
      const { data } = await content.ask(listInbox, { ...list, ...(after && { after }) }, agent)
      numbers.push(...data.items.map(({ cursor }) => Number(cursor.replace(/^.*-/, ''))))
      after = data.next_after
      isMore = data.has_more
    }
    return { oldest: numbers[0], count: numbers.length }
  }
  const unread = async () => (await content.ask(listInbox, { limit: 1 }, agent)).data.unread

  await deliver(1, 10, ['decision', 'suspension'])
  await deliver(11, 3_000, ['mention', 'reply'])
  await cleanAll()

  expect(await kept(['decision', 'suspension'])).toEqual({ oldest: 1, count: 10 })
  expect(await kept(['mention', 'reply'])).toEqual({ oldest: 2_001, count: 1_000 })
  expect(await unread()).toBe(1_010)

  await deliver(3_001, 6_000, ['verdict'])
  await cleanAll()

  expect(await kept(['decision', 'suspension', 'verdict'])).toEqual({ oldest: 4_001, count: 2_000 })
  expect(await kept(['mention', 'reply'])).toEqual({ oldest: undefined, count: 0 })
  expect(await unread()).toBe(2_000)
})

it('the cleaning deletes webhook deliveries made a week ago, or given up or overdue for a month', async () => {
  await content.db.query(
    `INSERT INTO webhook_deliveries (url_hash, event_id, payload, next_at, delivered_at, dead_at)
     SELECT made.what, n, '{}', made.at, made.delivered_at, made.dead_at
     FROM generate_series(1, $1) n, (VALUES
       ('delivered', now(), now() - interval '8 days', NULL),
       ('dead', now(), NULL, now() - interval '31 days'),
       ('due to nobody', now() - interval '31 days', NULL, NULL)
     ) AS made (what, at, delivered_at, dead_at)`,
    [OLD / 2],
  )
  await content.db.query(
    `INSERT INTO webhook_deliveries (url_hash, event_id, payload, next_at, delivered_at, dead_at)
     VALUES ('kept', '1', '{}', now(), now() - interval '6 days', NULL),
       ('kept', '2', '{}', now(), NULL, now() - interval '29 days'),
       ('kept', '3', '{}', now() - interval '1 day', NULL, NULL)`,
  )

  await cleanAll()

  const { rows } = await content.db.query(
    'SELECT url_hash, count(*)::int AS count FROM webhook_deliveries GROUP BY 1',
  )
  expect(rows).toEqual([{ url_hash: 'kept', count: 3 }])
})

it('the cleaning keeps events that were never sent, however old they are', async () => {
  // Stopped, so that nobody sends the events in the meantime.
  await content.close()
  await addEvents(10, `now() - interval '25 hours'`)
  await content.db.query(
    `UPDATE outbox SET sent_at = NULL WHERE created_at < now() - interval '1 day'`,
  )

  await cleanAll()

  expect(await ageOf('outbox')).toMatchObject({ old: 10 })
})
