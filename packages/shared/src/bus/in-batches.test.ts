import { expect, it } from '@jest/globals'
import type { JsMsg } from '@nats-io/jetstream'
import { eventually } from '../../../../tests/support/eventually.ts'
import { signal } from '../../../../tests/support/signal.ts'
import { inBatches } from './in-batches.ts'

/** Gives `count` messages and then none until it is closed; tells how many were read. */
function messagesOf(count: number) {
  const closed = signal()
  let read = 0
  async function* reading(): AsyncGenerator<JsMsg> {
    while (read < count) yield { seq: ++read } as JsMsg
    await closed.given
  }
  return {
    [Symbol.asyncIterator]: reading,
    close: () => closed.give(),
    read: () => read,
  }
}

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve))

it('the batch reader reads only the next batch while a batch is handled', async () => {
  const messages = messagesOf(20)
  const [begun, held] = [signal(), signal()]
  const handled: number[] = []
  const reading = inBatches(messages, {
    batchMax: 2,
    handle: async (batch) => {
      handled.push(...batch.map(({ seq }) => seq))
      begun.give()
      await held.given
    },
  })
  await begun.given
  for (let n = 0; n < 100; n++) await turnOfTheLoop()

  expect(messages.read()).toBe(handled.length + 2)
  held.give()
  messages.close()
  await reading
  expect(handled).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
})

it('the batch reader reads on with readsOn while a batch is handled, and hands over no larger batches', async () => {
  const messages = messagesOf(20)
  const held = signal()
  const sizes: number[] = []
  const reading = inBatches(messages, {
    batchMax: 2,
    readsOn: true,
    handle: async (batch) => {
      sizes.push(batch.length)
      await held.given
    },
  })

  await eventually('all are read', async () => messages.read() === 20)
  held.give()
  messages.close()
  await reading
  expect(Math.max(...sizes)).toBe(2)
})

it.each([{ readsOn: true }, { readsOn: false }])(
  'the batch reader hands over nothing after a failed batch, and fails at once: %j',
  async (how) => {
    const messages = messagesOf(6)
    const handled: number[] = []
    const reading = inBatches(messages, {
      batchMax: 1,
      ...how,
      handle: async (batch) => {
        await turnOfTheLoop()
        handled.push(...batch.map(({ seq }) => seq))
        if (handled.length === 2) throw new Error('failed')
      },
    })

    await expect(reading).rejects.toThrow('failed')
    expect(handled).toEqual([1, 2])
  },
)

it('the batch reader hands over no gathered messages after it was aborted', async () => {
  const messages = messagesOf(6)
  const ending = new AbortController()
  const handled: number[] = []
  await inBatches(messages, {
    batchMax: 1,
    readsOn: true,
    signal: ending.signal,
    handle: async (batch) => {
      await turnOfTheLoop()
      handled.push(...batch.map(({ seq }) => seq))
      ending.abort()
      messages.close()
    },
  })

  expect(handled).toEqual([1])
})
