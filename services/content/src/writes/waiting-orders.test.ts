import { expect, it } from '@jest/globals'
import { Held } from './held.ts'
import type { Order } from './order.ts'
import { keepHeld, takeBatch, type Waiting } from './waiting-orders.ts'

interface Named extends Order {
  name: string
  marks: string[]
}

const marking = { marksOf: ({ marks }: Named) => marks, needsOf: () => [] }

function waits(name: string, marks: string[], more: { agentId?: string; key?: string } = {}) {
  const { agentId = 'agt_1', key } = more
  const idempotency = key === undefined ? {} : { idempotency: { key, scope: '', body_hash: '' } }
  const meta = { requestId: name, remainingMs: 60_000, ...idempotency }
  const entry: Waiting<Named, void> = {
    order: { meta, agentId, keyId: 'key_1', name, marks },
    untilMs: performance.now() + 60_000,
    held: undefined,
    resolve: () => {},
    reject: () => {},
  }
  return entry
}

const namesOf = (entries: Waiting<Named, void>[]) => entries.map(({ order }) => order.name)

it('orders with a common mark are taken in their order, one in each batch', () => {
  const waiting = [waits('a', ['1']), waits('b', ['1', '2']), waits('c', ['2']), waits('d', ['3'])]

  expect(namesOf(takeBatch(marking, waiting, new Set()))).toEqual(['a', 'd'])
  expect(namesOf(takeBatch(marking, waiting, new Set()))).toEqual(['b'])
  expect(namesOf(takeBatch(marking, waiting, new Set()))).toEqual(['c'])
})

it('orders of different agents with the same Idempotency-Key are taken together', () => {
  const ofOthers = ['agt_1', 'agt_2', 'agt_1'].map((agentId, n) =>
    waits(`${n}`, [], { agentId, key: 'k' }),
  )

  expect(namesOf(takeBatch(marking, ofOthers, new Set()))).toEqual(['0', '1'])
})

it('at most half of a batch are orders that were held before, even if new orders stand before them', () => {
  const fresh = Array.from({ length: 100 }, (_, n) => waits(`${n}`, []))
  const again = Array.from({ length: 200 }, (_, n) => waits(`again ${n}`, []))
  for (const entry of again) keepHeld(entry, new Held('unavailable', 10_000))
  const waiting = [...fresh, ...again]

  expect(takeBatch(marking, waiting, new Set())).toEqual([...fresh, ...again.slice(0, 128)])
  expect(waiting).toEqual(again.slice(128))
})

it('an order that was held is refused before its caller goes away, however often it is tried', () => {
  const entry = waits('a', [])
  const leavesAt = entry.untilMs

  keepHeld(entry, new Held('unavailable', 120_000))
  const refusedAt = entry.untilMs
  keepHeld(entry, new Held('unavailable', 120_000))

  expect(refusedAt).toBeLessThan(leavesAt)
  expect(entry.untilMs).toBe(refusedAt)
})
