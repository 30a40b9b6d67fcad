import { parseAnswer } from '@stoa/shared/bus/ask.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { listChanges } from '@stoa/shared/contracts/feed.js'
import { AppError, isAppError, isServerError, type Warning } from '@stoa/shared/errors/errors.js'
import { InFlight, joinOrStart } from '@stoa/shared/process/in-flight.js'
import type { Core } from '../core.ts'
import { seal } from '../http/envelope.ts'
import { type Exchange, metaFor } from '../http/exchange.ts'
import { EventStream, lastEventId, noEventId } from './event-stream.ts'

type Input = InputOf<typeof listChanges>

type Page = Pick<OutputOf<typeof listChanges>, 'items' | 'next_cursor' | 'has_more'>

/** Streams at one position with the same filters share one question; most are at the live end. */
const questions = new WeakMap<Core, InFlight<Promise<Page>>>()

/**
 * The most changes read at a time, whatever `limit` says: a stream holds them until its reader has
 * taken them, which may be minutes.
 */
const READ_AT_ONCE = { compact: 100, full: 10 }

const CURSOR = /^[\w.~:-]{1,64}$/

/**
 * The change log, live: an event for each change, with its cursor as the event id. The stream
 * starts where Last-Event-ID (or `after`) says, without loss, and otherwise at the present end.
 */
export async function streamChanges(
  core: Core,
  exchange: Exchange,
  asked: Input,
  warnings: readonly Warning[],
): Promise<void> {
  const input = { ...asked, limit: Math.min(asked.limit, READ_AT_ONCE[asked.fields]) }
  const resumed = lastEventId(exchange)
  if (resumed !== undefined && !CURSOR.test(resumed)) {
    throw noEventId(new AppError('invalid_cursor', { reason: 'log' }))
  }
  const release = core.streams.places.take(exchange.address)
  // Listening starts before the log is read, so that nothing falls between the two.
  const wakeUps = listenForWakeUps(core)
  const leave = () => {
    wakeUps.stop()
    release()
  }
  try {
    const start = await readPage(core, exchange, {
      ...input,
      after: resumed ?? input.after ?? 'now',
    })
    const stream = new EventStream(exchange)
    stream.warn(warnings)
    stream.onClose(leave)
    stream.onClose(core.streams.onStop(() => stream.end()))
    if (start.items.length === 0) stream.mark(start.next_cursor)
    void follow(core, exchange, stream, wakeUps, input, start)
  } catch (error) {
    leave()
    const isAboutId = resumed !== undefined && isAppError(error) && error.code === 'invalid_cursor'
    throw isAboutId ? noEventId(error) : error
  }
}

/** Sends page after page, each only when the reader has taken the one before. */
async function follow(
  core: Core,
  exchange: Exchange,
  stream: EventStream,
  wakeUps: WakeUps,
  input: Input,
  start: Page,
): Promise<void> {
  let page = start
  for (;;) {
    await sendPage(stream, page)
    if (!page.has_more) await wakeUps.next()
    if (!stream.isOpen) return
    page = await readPage(core, exchange, { ...input, after: page.next_cursor }).catch(
      (error: unknown) => {
        // While content is away or restarting, the next wake-up asks from the same cursor.
        if (!isServerError(error)) stream.end()
        return { items: [], next_cursor: page.next_cursor, has_more: false }
      },
    )
  }
}

interface WakeUps {
  /** Resolves once there was a wake-up since the last one waited for, or no more will come. */
  next(): Promise<void>
  stop(): void
}

function listenForWakeUps(core: Core): WakeUps {
  let isWoken = false
  let goOn = () => {}
  const wake = () => {
    isWoken = true
    goOn()
  }
  const hearNoMore = core.streams.onWake(wake)
  return {
    next: async () => {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          goOn = resolve
        })
      }
      isWoken = false
    },
    stop: () => {
      hearNoMore()
      wake()
    },
  }
}

async function sendPage(stream: EventStream, { items }: Page): Promise<void> {
  for (const item of items) {
    await stream.send({
      id: item.cursor,
      event: item.type,
      data: seal({ object: 'change', ...item }).toString(),
    })
  }
}

function readPage(core: Core, exchange: Exchange, input: Input): Promise<Page> {
  return joinOrStart(questionsOf(core), JSON.stringify(input), () => ask(core, exchange, input))
}

function questionsOf(core: Core): InFlight<Promise<Page>> {
  const known = questions.get(core)
  if (known) return known
  const shared = new InFlight<Promise<Page>>()
  // A question asked before a wake-up may lack the change that the wake-up announced.
  core.streams.onWake(() => shared.clear())
  questions.set(core, shared)
  return shared
}

async function ask(core: Core, exchange: Exchange, input: Input): Promise<Page> {
  return parseAnswer(await core.ask(listChanges, input, metaFor(exchange, listChanges)))
}
