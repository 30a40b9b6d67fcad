import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import type { Consumer, JsMsg } from '@nats-io/jetstream'
import { signal } from '../../../../tests/support/signal.ts'
import type { Bus } from './bus.ts'
import { type InHand, keepInHand } from './in-hand.ts'
import type { Watcher } from './presence.ts'
import { readInHand } from './read-messages.ts'

const bus = { watch: () => () => {} }
const ENDED = { done: true, value: undefined }

let inHand: InHand

beforeEach(() => {
  inHand = keepInHand({ ackWaitMs: 60_000, max: 1 })
})

afterEach(() => inHand.end())

/** The messages of a consumer that has none, until it is closed. */
function noMessages(isRead = () => {}) {
  const closed = signal()
  const next = () => {
    isRead()
    return closed.given.then(() => ENDED)
  }
  return { close: () => closed.give(), [Symbol.asyncIterator]: () => ({ next }) }
}

describe('the reader of a consumer', () => {
  it('asks for no messages if it is closed while it waits for room', async () => {
    const message = {} as JsMsg
    inHand.keep(message)
    const fetch = jest.fn()
    const reading = readInHand(bus, { fetch } as unknown as Consumer, inHand)
    const next = reading[Symbol.asyncIterator]().next()

    reading.close()
    inHand.drop([message])

    expect(await next).toEqual(ENDED)
    expect(fetch).not.toHaveBeenCalled()
  })

  it('ends at once if it is closed while it asks for messages', async () => {
    const fetch = async () => {
      reading.close()
      return noMessages()
    }
    const reading = readInHand(bus, { fetch } as unknown as Consumer, inHand)

    expect(await reading[Symbol.asyncIterator]().next()).toEqual(ENDED)
  })

  it('ends when the bus is back while it waits for messages, and leaves no watcher of the bus', async () => {
    const watchers = new Set<Watcher>()
    const watched: Pick<Bus, 'watch'> = {
      watch: (watcher) => {
        watchers.add(watcher)
        return () => watchers.delete(watcher)
      },
    }
    const waits = signal()
    const fetch = async () => noMessages(waits.give)
    const reading = readInHand(watched, { fetch } as unknown as Consumer, inHand)
    const next = reading[Symbol.asyncIterator]().next()
    await waits.given

    for (const { back } of watchers) back?.()

    expect(await next).toEqual(ENDED)
    expect(watchers.size).toBe(0)
  })
})
