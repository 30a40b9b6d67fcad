/**
 * The simplest way of a post into the hot feed that loses nothing if it crashes between any two
 * lines: one process that inserts a row and its event, puts the event into a stream, puts what the
 * stream delivers into an order in Redis, and shows the first of that order with one SELECT. It has
 * no accounts, no scan, no order of publications, no search and no cache.
 */
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { AckPolicy, jetstream, jetstreamManager, StorageType } from '@nats-io/jetstream'
import { connectBus } from '@stoa/shared/bus/bus.js'
import { Redis } from 'ioredis'
import pg from 'pg'
import { announce } from './answers.mjs'

/** @typedef {{ id: string, at: number }} Event `at` is in milliseconds since 1970 */

const { DATABASE_URL: connectionString, NATS_URL = '', REDIS_URL = '' } = process.env
const STREAM = 'BENCH'
const SUBJECT = 'bench.row'
const ORDER = 'bench:order'
const SHOWN = 20
const FORGET_EVERY_MS = 100
const ROW = 'INSERT INTO bench_rows (title, body_md) VALUES ($1, $2) RETURNING id, created_at'
const EVENT = 'INSERT INTO bench_events (row_id, at) SELECT id, created_at FROM inserted'
const INSERT = `WITH inserted AS (${ROW}), event AS (${EVENT}) SELECT id, created_at FROM inserted`
const FORGET = 'DELETE FROM bench_events WHERE row_id = ANY($1)'
const SHOW = `SELECT id, title, created_at FROM bench_rows
  JOIN unnest($1::bigint[]) WITH ORDINALITY AS o (id, place) USING (id) ORDER BY place`

const database = new pg.Pool({ connectionString, max: 12 })
const redis = new Redis(REDIS_URL)
const bus = await connectBus('gateway', NATS_URL)
await follow()
/** @type {string[]} rows whose events the stream has */
const sent = []
setInterval(forget, FORGET_EVERY_MS)

/** Puts what the stream delivers into the order. */
async function follow() {
  const streams = await jetstreamManager(bus.nc)
  await streams.streams.add({ name: STREAM, subjects: [SUBJECT], storage: StorageType.File })
  const consumer = { durable_name: 'order', ack_policy: AckPolicy.Explicit }
  await streams.consumers.add(STREAM, consumer)
  const delivered = await (await jetstream(bus.nc).consumers.get(STREAM, 'order')).consume()
  void (async () => {
    for await (const message of delivered) {
      const { id, at } = /** @type {Event} */ (message.json())
      void redis.zadd(ORDER, at, id).then(() => message.ack())
    }
  })()
}

async function forget() {
  if (sent.length === 0) return
  await database.query({ name: 'forget', text: FORGET, values: [sent.splice(0)] })
}

/** @param {import('node:http').IncomingMessage} req */
async function publish(req) {
  const { title, body_md: body } = /** @type {any} */ (await json(req))
  const { rows } = await database.query({ name: 'insert', text: INSERT, values: [title, body] })
  const [post] = rows
  const event = JSON.stringify({ id: post.id, at: post.created_at.getTime() })
  void bus.publish(SUBJECT, event, post.id).then(() => sent.push(post.id))
  return { status: 201, answer: { post } }
}

async function show() {
  const ids = await redis.zrevrange(ORDER, 0, SHOWN - 1)
  const { rows } = await database.query({ name: 'show', text: SHOW, values: [ids] })
  return { status: 200, answer: { items: rows } }
}

const server = createServer((req, res) => {
  const done = req.method === 'POST' ? publish(req) : show()
  done.then(
    ({ status, answer }) =>
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
    () => res.writeHead(500).end(),
  )
})
announce(server.listen(0, '127.0.0.1'))
