import { parseAnswer } from '@stoa/shared/bus/ask.js'
import type { CloudEvent } from '@stoa/shared/bus/events.js'
import type { InputOf } from '@stoa/shared/contracts/contract.js'
import { type Alert, type CurrentAlert, listAlerts } from '@stoa/shared/contracts/moderation.js'
import { isServerError, type Warning } from '@stoa/shared/errors/errors.js'
import { authenticate } from '../auth/authenticate.ts'
import type { Core } from '../core.ts'
import { seal } from '../http/envelope.ts'
import { type Exchange, metaFor } from '../http/exchange.ts'
import { EventStream, lastEventId, noEventId } from './event-stream.ts'

/** How many missed alerts are read at a time; more are read once the reader has taken them. */
const PAGE = 100
/** A reader for which more alerts wait is cut off, and gets what it missed when it resumes. */
const WAITING_MAX = 2_000
/**
 * Alerts are committed slightly out of the order of their times, so a reader that resumes gets
 * those of this long before its last event again.
 */
const OVERLAP_MS = 10_000
const CHECK_KEY_MS = 5_000

/** The ids of this stream are times as `isoTime` writes them. */
const EVENT_ID = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/**
 * Alerts for moderators, as they are raised and resolved. The id of an event is the time of the
 * newest alert sent; a new stream starts with the time of the newest alert there is. After
 * Last-Event-ID, all alerts raised since come first, in their present state. An alert may come
 * twice, so readers go by its id. The stream ends with the key.
 */
export async function streamAlerts(
  core: Core,
  exchange: Exchange,
  _input: unknown,
  warnings: readonly Warning[],
): Promise<void> {
  const release = core.streams.alertPlaces.take(exchange.address)
  const waiting: Heard[] = []
  let sendWaiting = async (): Promise<void> => {}
  // Listening starts before the list is read, so that nothing falls between the two.
  const hearNoMore = core.bus.hear('alert.>', (event, subject) => {
    const { data } = event as CloudEvent<{ alert: Alert }>
    // One alert beyond the bound ends the stream, so no more are kept.
    if (waiting.length > WAITING_MAX) return
    waiting.push({ event: subject, alert: data.alert })
    void sendWaiting()
  })
  const leave = () => {
    hearNoMore()
    release()
  }
  try {
    const start = await startOf(core, exchange)
    const stream = new EventStream(exchange)
    stream.warn(warnings)
    stream.mark(start.from)
    stream.onClose(leave)
    stream.onClose(core.streams.onStop(() => stream.end()))
    // The stream missed what happened while the bus was lost; a reader that resumes is told of it.
    stream.onClose(core.streams.onMissed(() => stream.end()))
    endWithKey(core, exchange, stream)
    sendWaiting = sender(stream, waiting, start)
  } catch (error) {
    leave()
    throw error
  }
}

type Input = InputOf<typeof listAlerts>

interface Heard {
  event: string
  alert: Alert
}

function eventOf({ status }: Alert): string {
  return status === 'resolved' ? 'alert.resolved' : 'alert.raised'
}

/**
 * Sends the missed alerts and then those waiting, no faster than the reader takes them. Ids of
 * events never go back, although an old alert may be resolved at any time.
 */
function sender(stream: EventStream, waiting: Heard[], { from, missed }: Start) {
  let newest = from
  const send = async ({ event, alert }: Heard) => {
    if (alert.created_at > newest) newest = alert.created_at
    await stream.send({ id: newest, event, data: seal({ object: 'alert', alert }).toString() })
  }
  let isSending = true
  const sendWaiting = async () => {
    if (waiting.length > WAITING_MAX) stream.end()
    if (isSending) return
    isSending = true
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await send(next)
    isSending = false
  }
  const sendMissed = async () => {
    for (let page: Page | null = missed; page !== null && stream.isOpen; page = await page.next()) {
      for (const alert of page.alerts) await send({ event: eventOf(alert), alert })
    }
    isSending = false
    await sendWaiting()
  }
  // A reader that resumes goes on where this stream stopped.
  void sendMissed().catch(() => stream.end())
  return sendWaiting
}

interface Start {
  /** Alerts raised after this time are sent to this reader. */
  from: string
  /** Alerts that the reader missed since then, oldest first; null for a new reader. */
  missed: Page | null
}

interface Page {
  alerts: Alert[]
  next(): Promise<Page | null>
}

async function startOf(core: Core, exchange: Exchange): Promise<Start> {
  const from = lastEventId(exchange)
  if (from === undefined) return { from: await newestTime(core, exchange), missed: null }
  const last = EVENT_ID.test(from) ? Date.parse(from) : Number.NaN
  if (Number.isNaN(last)) throw noEventId()
  const since = new Date(Math.max(0, last - OVERLAP_MS)).toISOString()
  const missed = await readPage(core, exchange, { since, sort: 'oldest', limit: PAGE })
  return { from, missed }
}

/** By the clock that dates alerts, which may not be the one of this computer. */
async function newestTime(core: Core, exchange: Exchange): Promise<string> {
  const { items } = await ask(core, exchange, { sort: 'new', limit: 1 })
  return items[0]?.created_at ?? new Date(0).toISOString()
}

async function readPage(core: Core, exchange: Exchange, input: Input): Promise<Page> {
  const { items, next_before: before } = await ask(core, exchange, input)
  return {
    alerts: items.map(asEvent),
    next: async () => (before === null ? null : readPage(core, exchange, { ...input, before })),
  }
}

async function ask(core: Core, exchange: Exchange, input: Input) {
  return parseAnswer(await core.ask(listAlerts, input, metaFor(exchange, listAlerts)))
}

/**
 * An alert as events show it: without the present title and visibility of its text, and without the
 * reason of an appeal, which no scanner has judged.
 */
function asEvent({ visibility, title, ...alert }: CurrentAlert): Alert {
  return alert.source === 'appeal' ? { ...alert, excerpt: '' } : alert
}

/** Ends the stream when its key may no longer read alerts; a stream may last for days. */
function endWithKey({ keys }: Core, { req }: Exchange, stream: EventStream): void {
  const check = async () => {
    try {
      const { caller, isSuspended } = await authenticate(req.headers.authorization ?? '', keys)
      if (caller.role !== 'moderator' || isSuspended) stream.end()
    } catch (error) {
      if (!isServerError(error)) stream.end()
    }
  }
  const timer = setInterval(() => void check(), CHECK_KEY_MS)
  stream.onClose(() => clearInterval(timer))
}
