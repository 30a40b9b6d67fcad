import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { issueKey } from '@stoa/shared/identifiers/api-key.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { KeyCache } from '../auth/key-cache.ts'
import type { Core } from '../core.ts'
import { openExchange } from '../http/exchange.ts'
import { storedKey } from '../testing/stored-key.ts'
import { streamAlerts } from './alert-stream.ts'
import { streamChanges } from './change-stream.ts'
import { createStreams, type Streams } from './streams.ts'

/** How many listeners are registered now. */
let listeners: number
let streams: Streams
let core: Core

const PAGE = { items: [], next_cursor: 'here', next_before: null, has_more: false }
const issued = issueKey()

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}

/** Counts the listeners of a function that registers them. */
function counting<Listen extends (...given: never[]) => () => void>(listen: Listen): Listen {
  return ((...given: Parameters<Listen>) => {
    listeners++
    const stop = listen(...given)
    return () => {
      listeners--
      stop()
    }
  }) as Listen
}

beforeEach(() => {
  listeners = 0
  streams = createStreams({ max: 1, perAddressMax: 1 })
  core = {
    streams: {
      ...streams,
      onWake: counting(streams.onWake),
      onMissed: counting(streams.onMissed),
      onStop: counting(streams.onStop),
    },
    bus: { hear: counting(() => () => {}) },
    keys: new KeyCache(async () => storedKey(issued, { role: 'moderator' })),
    ask: async () => ({ json: Buffer.from(JSON.stringify(PAGE)), meta: {} }),
  } as unknown as Core
})

afterEach(() => streams.close())

type Serve = (req: IncomingMessage, res: ServerResponse) => Promise<void>

const alerts: Serve = (req, res) => streamAlerts(core, openExchange(req, res, '192.0.2.1'), {}, [])
/** The stream of a reader that has missed alerts. */
const missedAlerts: Serve = (req, res) => {
  req.headers['last-event-id'] = '2026-11-01T00:00:00.000Z'
  return alerts(req, res)
}
const changes: Serve = (req, res) =>
  streamChanges(
    core,
    openExchange(req, res, '192.0.2.1'),
    { limit: 10, fields: 'compact' } as never,
    [],
  )

/** A reader that connects, is answered and leaves. */
async function visit(serve: Serve): Promise<void> {
  const server = createServer((req, res) => void serve(req, res))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const headers = { authorization: `Bearer ${issued.key}` }
  const { port } = server.address() as AddressInfo
  const client = request({ port, headers, agent: false })
  client.on('error', () => {}).end()
  await new Promise((resolve) => client.once('response', resolve))
  client.destroy()
  await new Promise((resolve) => server.close(resolve))
}

it.each<[string, Serve, number]>([
  ['alerts', alerts, 0],
  // One listener remains, which all streams share: it hears when there is something new.
  ['changes', changes, 1],
])(
  'a stream of %s leaves no listener and no timer after its reader disconnects',
  async (_, serve, shared) => {
    const before = timers()

    await visit(serve)
    await visit(serve)

    await eventually('nobody listens any more', async () => listeners === shared)
    await eventually('no timer is left', async () => timers() <= before)
  },
)

it.each<[string, Serve, number]>([
  ['alerts', missedAlerts, 0],
  ['changes', changes, 1],
])('a stream of %s reads no further after its reader disconnects', async (_, serve, shared) => {
  const pages = 10_000
  let asked = 0
  const ask = async () => {
    await new Promise(setImmediate)
    const hasMore = ++asked < pages
    const page = { ...PAGE, has_more: hasMore, next_before: hasMore ? 'more' : null }
    return { json: Buffer.from(JSON.stringify(page)), meta: {} }
  }
  core = { ...core, ask } as unknown as Core

  await visit(serve)

  await eventually('nobody listens any more', async () => listeners === shared)
  await eventually('nothing more is read', async () => {
    const before = asked
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
    return asked === before
  })
  expect(asked).toBeLessThan(pages)
})
