import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually } from '../../../../tests/support/eventually.ts'
import { webhookCommands } from '../admin/webhooks.ts'
import type { Database } from '../database.ts'
import { ContentUnderTest } from '../testing/content-under-test.ts'
import {
  type Delivery,
  type Fate,
  insertDeliveries,
  saveAttempt,
  takeDue,
} from './webhook-deliveries.ts'

let content: ContentUnderTest
let db: Database

beforeAll(async () => {
  content = await ContentUnderTest.start()
  db = content.openDatabase(1)
})

afterAll(() => content.stop())

/** A lease of 0 ms, as if the sender stood still for longer than its lease. */
const take = (urlHash: string) => db.transaction((tx) => takeDue(tx, urlHash, 0, 1))
const save = (delivery: Delivery, status: number | null, fate: Fate) =>
  db.transaction(async (tx) => saveAttempt(tx, delivery, status, fate))

it.each([{ kind: 'again', afterMs: 0 }, { kind: 'dead' }] as const)(
  'a delivered webhook stays delivered if the failure of an earlier attempt is noted later: %j',
  async (fate) => {
    const row = { url_hash: fate.kind, event_id: 'evt', payload: '{}' }
    await db.transaction(async (tx) => insertDeliveries(tx, [row]))
    const [late] = await take(fate.kind)
    const [second] = await take(fate.kind)
    await save(second as Delivery, 200, { kind: 'delivered' })

    await save(late as Delivery, null, fate)

    expect(await take(fate.kind)).toEqual([])
    const { rows } = await content.db.query(
      `SELECT delivered_at IS NOT NULL AS delivered, dead_at IS NOT NULL AS dead, last_status
       FROM webhook_deliveries WHERE url_hash = $1`,
      [fate.kind],
    )
    expect(rows).toEqual([{ delivered: true, dead: false, last_status: 200 }])
  },
)

it('a delivery is stored once if its event comes twice', async () => {
  const row = { url_hash: 'twice', event_id: 'evt', payload: '{}' }
  for (let n = 0; n < 2; n++) await db.transaction(async (tx) => insertDeliveries(tx, [row]))

  expect(await db.transaction((tx) => takeDue(tx, 'twice', 0, 2))).toHaveLength(1)
})

it('the webhook replay command replays one given-up delivery by its event, or all, and keeps their attempts', async () => {
  const ids = ['evt_wanted', 'evt_other']
  const rows = ids.map((event_id) => ({ url_hash: 'replayed', event_id, payload: '{}' }))
  await db.transaction(async (tx) => insertDeliveries(tx, rows))
  const taken = await db.transaction((tx) => takeDue(tx, 'replayed', 0, 2))
  for (const delivery of taken) await save(delivery, 410, { kind: 'dead' })

  await webhookCommands['webhook replay']?.run(db, ['evt_wanted'])

  const due = () => db.transaction((tx) => takeDue(tx, 'replayed', 60_000, 2))
  expect(await due()).toEqual([expect.objectContaining({ event_id: 'evt_wanted', attempts: 1 })])
  await webhookCommands['webhook replay']?.run(db, [])
  expect(await due()).toEqual([expect.objectContaining({ event_id: 'evt_other', attempts: 1 })])
})

it('the webhook replay command releases given-up deliveries in batches, not all at the end', async () => {
  await content.db.query(
    `INSERT INTO webhook_deliveries (url_hash, event_id, payload, dead_at)
     SELECT 'many', 'evt_' || n, '{}', now() - (1501 - n) * interval '1 ms' FROM generate_series(1, 1500) n`,
  )
  const release = await content.hold(
    `SELECT FROM webhook_deliveries WHERE url_hash = 'many' AND event_id = 'evt_1500' FOR UPDATE`,
  )
  const replaying = webhookCommands['webhook replay']?.run(content.openDatabase(1), [])
  try {
    const [first] = await eventually('one is due', async () => {
      const due = await take('many')
      return due.length > 0 && due
    })
    // Its receiver is still gone: the operator must see that, and the replay must not try it again
    // and again.
    await save(first as Delivery, 410, { kind: 'dead' })
  } finally {
    await release()
  }

  expect(await replaying).toEqual(['1500 deliveries will be sent again.'])
  const again = await webhookCommands['webhook replay']?.run(db, [])
  expect(again).toEqual(['1 delivery will be sent again.'])
})

it('a delivery is taken again once its lease or its wait after a failure has ended, and not before', async () => {
  const LONG_MS = 60_000
  const lease = (ms: number) => db.transaction((tx) => takeDue(tx, 'leased', ms, 1))
  const row = { url_hash: 'leased', event_id: 'evt', payload: '{}' }
  await db.transaction(async (tx) => insertDeliveries(tx, [row]))

  const [first] = await lease(LONG_MS)
  expect(await lease(LONG_MS)).toEqual([])
  await save(first as Delivery, 500, { kind: 'again', afterMs: 0 })
  const [second] = await lease(0)
  await save(second as Delivery, 500, { kind: 'again', afterMs: LONG_MS })

  expect([first?.attempts, second?.attempts]).toEqual([1, 2])
  expect(await lease(0)).toEqual([])
})

it('the delivery that has been due longest is taken first', async () => {
  await content.db.query(
    `INSERT INTO webhook_deliveries (url_hash, event_id, payload, next_at)
     SELECT 'queued', 'evt_' || n, '{}', now() - n * interval '1 minute'
     FROM unnest(ARRAY[2, 1, 3]) AS n`,
  )
  // Without ORDER BY, PostgreSQL reads a table that it knows to be small as it lies on the disk.
  await content.db.query('ANALYZE webhook_deliveries')
  const order: unknown[] = []
  for (let n = 0; n < 3; n++) {
    const [delivery] = await db.transaction((tx) => takeDue(tx, 'queued', 60_000, 1))
    order.push(delivery?.event_id)
  }

  expect(order).toEqual(['evt_3', 'evt_2', 'evt_1'])
})

it('each delivery is taken by one of several senders, and no sender waits for another', async () => {
  const rows = ['evt_1', 'evt_2'].map((event_id) => ({
    url_hash: 'shared',
    event_id,
    payload: '{}',
  }))
  await db.transaction(async (tx) => insertDeliveries(tx, rows))
  const other = content.openDatabase(1)

  const taken = await db.transaction(async (tx) => [
    ...(await takeDue(tx, 'shared', 60_000, 1)),
    ...(await other.transaction((its) => takeDue(its, 'shared', 60_000, 2))),
  ])

  expect(taken.map(({ event_id }) => event_id).sort()).toEqual(['evt_1', 'evt_2'])
})

it('the webhook dead command lists fifty given-up deliveries and the number of further ones', async () => {
  const rows = Array.from({ length: 52 }, (_, i) => {
    return { url_hash: 'gone', event_id: `evt_${i}`, payload: '{}' }
  })
  await db.transaction(async (tx) => insertDeliveries(tx, rows))
  const taken = await db.transaction((tx) => takeDue(tx, 'gone', 0, 52))
  for (const delivery of taken) await save(delivery, 410, { kind: 'dead' })

  const lines = await webhookCommands['webhook dead']?.run(db, [])

  expect(lines).toHaveLength(51)
  expect(lines?.at(-1)).toBe('… and 2 more')
})

it('the webhook dead command lists deliveries given up at the same time in the order of their events', async () => {
  const ids = ['evt_together_2', 'evt_together_3', 'evt_together_1']
  const rows = ids.map((event_id) => ({ url_hash: 'together', event_id, payload: '{}' }))
  await db.transaction(async (tx) => insertDeliveries(tx, rows))
  const given = `UPDATE webhook_deliveries SET dead_at = now() WHERE url_hash = 'together'`
  await content.db.query(given)

  const lines = await webhookCommands['webhook dead']?.run(db, [])

  const listed = lines?.slice(0, 3).map((line) => line.split(' ')[0])
  expect(listed).toEqual(ids.toSorted().reverse())
})
