import { createHash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Bus } from '@stoa/shared/bus/bus.js'
import { consume } from '@stoa/shared/bus/consume.js'
import type { CloudEvent } from '@stoa/shared/bus/events.js'
import { STREAMS } from '@stoa/shared/bus/streams.js'
import { defineEvent } from '@stoa/shared/contracts/contract.js'
import { alertRaised } from '@stoa/shared/contracts/moderation.js'
import { type Logger, onceIn } from '@stoa/shared/process/logger.js'
import type { Database } from '../database.ts'
import {
  type Delivery,
  type Fate,
  insertDeliveries,
  saveAttempt,
  takeDue,
} from '../tables/webhook-deliveries.ts'
import { startLoop } from '../workers/loop.ts'
import { dropDeleted } from './drop-deleted.ts'
import { postMessage } from './post-message.ts'
import { signedHeaders } from './signature.ts'

export interface WebhookSettings {
  urls: string[]
  secrets: Buffer[]
  allowPrivate: boolean
  /** Wait after the first failed attempt; each further one waits four times as long. */
  retryMs: number
}

/** Raised and resolved alerts have one shape. */
const alertEvent = defineEvent('alert.>', alertRaised.payload)

const BATCH_MAX = 16
const LEASE_MS = 60_000
const REST_MS = 1_000
/** With the default wait the last attempt comes about a day after the first. */
const ATTEMPTS_MAX = 10
const WAIT_MAX_MS = 6 * 3_600_000
/** An alert older than this is no news; a receiver set up today does not get last month's. */
const NEWS_MS = 24 * 3_600_000
const GONE = 410
/** An address that does not answer fails for every message. */
const WARN_EVERY_MS = 10_000

interface Deps {
  db: Database
  bus: Bus
  log: Logger
}

/** How messages go to one address. */
interface Sending {
  url: string
  settings: WebhookSettings
  /** Ends attempts under way when the service stops; they are tried again later. */
  stop: AbortSignal
  mayWarn: () => boolean
}

/**
 * Sends alerts to the addresses the operator configured: a durable consumer stores deliveries in
 * PostgreSQL, and loops send each when it is due until it is delivered or given up. Replicas share
 * the work. Delivery is at least once and in no promised order; `webhook-id` identifies repeats.
 */
export async function startWebhooks(deps: Deps, settings: WebhookSettings) {
  const stop = new AbortController()
  // Every message under way listens to this signal.
  setMaxListeners(0, stop.signal)
  const urls = new Map(settings.urls.map((url) => [hashOf(url), url]))
  const hashes = [...urls.keys()]
  // Each address has its own loop, so that one that hangs does not delay the others.
  const loops = [...urls].map(([hash, url]) => {
    const sending = { url, settings, stop: stop.signal, mayWarn: onceIn(WARN_EVERY_MS) }
    return startLoop('webhooks', REST_MS, deps.log, async () => {
      const taken = await deps.db.transaction((tx) => takeDue(tx, hash, LEASE_MS, BATCH_MAX))
      if (taken.length === 0) return 'rest'
      const due = await dropDeleted(deps.db, taken)
      await Promise.all(due.map((delivery) => attempt(deps, sending, delivery)))
      return 'again'
    })
  })
  const consuming = await consume({
    ...deps,
    stream: STREAMS.alerts.name,
    durable: 'webhooks',
    filter: alertEvent.subject,
    event: alertEvent,
    batchMax: BATCH_MAX,
    handle: async (events) => {
      await deps.db.transaction(async (tx) => insertDeliveries(tx, toSend(events, hashes)))
      for (const loop of loops) loop.wake()
    },
  })
  return {
    close: async () => {
      await consuming.stop()
      stop.abort()
      await Promise.all(loops.map((loop) => loop.close()))
    },
  }
}

/** Stands for an address in the database, because the address may contain a secret. */
export function hashOf(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, 32)
}

function toSend(events: CloudEvent[], hashes: string[]) {
  return events
    .filter((event) => Date.now() - Date.parse(event.time) < NEWS_MS)
    .flatMap((event) =>
      hashes.map((hash) => ({
        url_hash: hash,
        event_id: event.id,
        payload: JSON.stringify(event),
      })),
    )
}

async function attempt({ db, log }: Deps, sending: Sending, delivery: Delivery): Promise<void> {
  const { url, settings, stop, mayWarn } = sending
  const { event_id: id, payload: body } = delivery
  const headers = signedHeaders({ id, body, atMs: Date.now() }, settings.secrets)
  const message = { url, headers, body }
  let failure: unknown
  const status = await postMessage(message, settings.allowPrivate, stop).catch((error: unknown) => {
    failure = error
    return null
  })
  const { attempts } = delivery
  const fate = fateOf(status, attempts, sending)
  // Only the host is logged, because the rest of the address may be a secret.
  const about = { err: failure, event_id: id, host: new URL(url).host, attempts, status }
  if (fate.kind === 'dead') log.error(about, 'webhook given up')
  else if (fate.kind === 'again' && mayWarn()) log.warn(about, 'webhook not delivered')
  await db.transaction(async (tx) => saveAttempt(tx, delivery, status, fate))
}

/**
 * Each wait is four times the last, a fifth more or less, so that receivers are not rushed. An
 * attempt cut short by the end of the service is never the last.
 */
function fateOf(status: number | null, attempts: number, { settings, stop }: Sending): Fate {
  if (status !== null && status >= 200 && status < 300) return { kind: 'delivered' }
  const isLast = attempts >= ATTEMPTS_MAX && !stop.aborted
  if (status === GONE || isLast) return { kind: 'dead' }
  const wait = Math.min(WAIT_MAX_MS, settings.retryMs * 4 ** (attempts - 1))
  return { kind: 'again', afterMs: Math.round(wait * (0.8 + Math.random() * 0.4)) }
}
