import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Bus, connectBus } from '@stoa/shared/bus/bus.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { OwnNats } from '../../../../tests/support/own-nats.ts'
import { awaitVerdicts, type Verdicts, waitMsOf } from './await-verdict.ts'

/** Longer than any of these tests takes. */
const LONG_MS = 300_000
/** Longer than a notice needs that is sent in the same turn. */
const SHORT_MS = 500
/** More writes than may wait at once. */
const MANY = 10_001

let nats: OwnNats
const buses: Bus[] = []

beforeAll(async () => {
  nats = await OwnNats.start()
})

afterAll(async () => {
  for (const bus of buses) await bus.close()
  await nats?.remove()
})

/** The verdicts of a replica of its own. */
async function replica(publishWaitMs: number): Promise<Verdicts> {
  const bus = await connectBus('content', nats.urlFor('content'))
  buses.push(bus)
  const verdicts = awaitVerdicts(bus, publishWaitMs)
  await bus.settled()
  return verdicts
}

/** Waits for a verdict; answers functions that tell whether the wait is over and that cancel it. */
function waiting(verdicts: Verdicts, caseId: string) {
  let isOver = false
  const { decided, cancel } = verdicts.expect(caseId, LONG_MS)
  void decided.then(() => {
    isOver = true
  })
  return { isOver: async () => isOver, cancel }
}

describe('a write that waits for its verdict', () => {
  it('gets its verdict from any replica that applies the verdict', async () => {
    const [here, there] = [await replica(LONG_MS), await replica(LONG_MS)]
    const caseId = newId('case')
    // The waits of a write and of its repetition.
    const [first, again] = [waiting(here, caseId), waiting(here, caseId)]

    there.decided([caseId])

    await eventually('it has been told', first.isOver)
    await eventually('so has its repetition', again.isOver)
  })

  it('goes on waiting if its repetition stops waiting', async () => {
    const verdicts = await replica(LONG_MS)
    const caseId = newId('case')
    const [first, again] = [waiting(verdicts, caseId), waiting(verdicts, caseId)]

    again.cancel()

    await eventually('the repetition waits no more', again.isOver)
    expect(await first.isOver()).toBe(false)
    verdicts.decided([caseId])
    await eventually('it has been told', first.isOver)
  })

  it('is answered at once if ten thousand writes wait', async () => {
    const verdicts = await replica(LONG_MS)
    const others = Array.from({ length: MANY - 1 }, () => verdicts.expect(newId('case'), LONG_MS))

    await verdicts.expect(newId('case'), LONG_MS).decided

    const [one] = others
    one?.cancel()
    // The write that was told cancels a second time.
    one?.cancel()
    const { isOver, cancel } = waiting(verdicts, newId('case'))
    await verdicts.expect(newId('case'), LONG_MS).decided
    expect(await isOver()).toBe(false)
    for (const other of [...others, { cancel }]) other.cancel()
  })

  it('stops waiting before its caller goes away', async () => {
    const verdicts = await replica(LONG_MS)
    const waitsFor = (remainingMs: number) => waitMsOf(verdicts, { requestId: 'r', remainingMs })

    expect([500, 3_000, 2 * LONG_MS].map(waitsFor)).toEqual([0, 2_000, LONG_MS])
  })

  it('still waits after many other writes that no longer wait', async () => {
    const verdicts = await replica(LONG_MS)
    for (let n = 0; n < MANY; n++) verdicts.expect(newId('case'), LONG_MS).cancel()

    const { isOver, cancel } = waiting(verdicts, newId('case'))

    await buses.at(-1)?.settled()
    expect(await isOver()).toBe(false)
    cancel()
  })
})

it('writes go on waiting for verdicts after one write with a short wait got none', async () => {
  const verdicts = await replica(SHORT_MS)

  await verdicts.expect(newId('case'), SHORT_MS / 10).decided

  expect(verdicts.waitMs()).toBe(SHORT_MS)
})

it('writes wait for verdicts again once a verdict has come in time', async () => {
  const verdicts = await replica(SHORT_MS)
  const late = newId('case')
  await verdicts.expect(late, 2 * SHORT_MS).decided
  const before = verdicts.waitMs()

  verdicts.decided([late])
  const afterLate = verdicts.waitMs()
  verdicts.decided([newId('case')])

  expect([before, afterLate, verdicts.waitMs()]).toEqual([0, 0, SHORT_MS])
})
