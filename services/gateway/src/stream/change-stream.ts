import type { InputOf } from '@stoa/shared/contract.js'
import { type Change, listChanges } from '@stoa/shared/contracts/feed.js'
import { seal } from '@stoa/shared/envelope.js'
import type { z } from 'zod'
import type { Core } from '../core.ts'
import { type Exchange, metaFor } from '../http/exchange.ts'
import { EventStream } from './event-stream.ts'

type Input = InputOf<typeof listChanges>

interface Page {
  items: z.output<typeof Change>[]
  next_cursor: string
  has_more: boolean
}

/** Streams at one position with the same filters share one question; most are at the live end. */
const questions = new WeakMap<Core, Map<string, Promise<Page>>>()

const CURSOR = /^[\w.~:-]{1,64}$/

/**
 * The change log, live: an event for each change, its cursor as the event id. It starts where
 * Last-Event-ID (or `after`) says, without loss, and otherwise at the present end.
 */
export async function streamChanges(core: Core, exchange: Exchange, input: Input): Promise<void> {
  const last = exchange.req.headers['last-event-id']
  const resumed = typeof last === 'string' && CURSOR.test(last) ? last : undefined
  const release = core.streams.limits.take(exchange.address)
  try {
    const start = await readPage(core, exchange, {
      ...input,
      after: resumed ?? input.after ?? 'now',
    })
    const stream = new EventStream(exchange)
    stream.onClose(release)
    follow(core, exchange, stream, input, start)
  } catch (error) {
    release()
    throw error
  }
}

/** One question at a time per stream; a wake-up that comes meanwhile asks once more. */
function follow(
  core: Core,
  exchange: Exchange,
  stream: EventStream,
  input: Input,
  start: Page,
): void {
  let cursor = sendPage(stream, start)
  let isAsking = false
  let isWoken = start.has_more
  const pull = async () => {
    isWoken = true
    if (isAsking) return
    isAsking = true
    while (isWoken && stream.isOpen) {
      isWoken = false
      try {
        const page = await readPage(core, exchange, { ...input, after: cursor })
        cursor = sendPage(stream, page)
        if (page.has_more) isWoken = true
      } catch {
        // Content is away or restarting: the next wake-up asks from the same cursor.
      }
    }
    isAsking = false
  }
  const wake = () => void pull()
  stream.onClose(core.streams.onWake(wake))
  stream.onClose(core.streams.onStop(() => stream.end()))
  if (isWoken) wake()
}

function sendPage(stream: EventStream, { items, next_cursor }: Page): string {
  for (const item of items) {
    stream.send({
      id: item.cursor,
      event: item.type,
      data: seal({ object: 'change', ...item }).toString(),
    })
  }
  return next_cursor
}

function readPage(core: Core, exchange: Exchange, input: Input): Promise<Page> {
  const shared = questions.get(core) ?? new Map<string, Promise<Page>>()
  questions.set(core, shared)
  const key = JSON.stringify(input)
  const asked = shared.get(key)
  if (asked !== undefined) return asked
  const asking = ask(core, exchange, input)
  shared.set(key, asking)
  const forget = () => shared.delete(key)
  asking.then(forget, forget)
  return asking
}

async function ask(core: Core, exchange: Exchange, input: Input): Promise<Page> {
  const { json } = await core.ask(listChanges, input, metaFor(exchange, listChanges))
  return JSON.parse(Buffer.from(json).toString()) as Page
}
