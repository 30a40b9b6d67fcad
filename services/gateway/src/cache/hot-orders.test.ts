import { describe, expect, it } from '@jest/globals'
import { AppError } from '@stoa/shared/errors.js'
import type { Ask } from '../downstream/ask.ts'
import { HotOrders } from './hot-orders.ts'

const meta = { requestId: 'request-1', remainingMs: 1_000 }
const FIRST = { limit: 25 }

/** Ranking, whose every answer is another; `while_` runs while it thinks of the next. */
function ordersOf(given: { ranked?: null; isAway?: boolean } = {}) {
  const clock = { now: 0 }
  const state = { asked: 0, while_: () => {} }
  const ask = (async () => {
    state.asked++
    if (given.isAway) throw new AppError('unavailable')
    const ranked = given.ranked === null ? null : [[`pst_${state.asked}`, 1]]
    state.while_()
    return { json: Buffer.from(JSON.stringify({ object: 'hot', ranked })), meta: {} }
  }) as Ask
  const orders = new HotOrders(ask, 1_000, () => clock.now)
  const recent = async (page: Parameters<HotOrders['recent']>[0] = FIRST) =>
    (await orders.recent(page, meta)).ranked?.[0]?.[0]
  return { clock, state, orders, recent }
}

describe('hot orders', () => {
  it('are asked for once while they are fresh, each page for itself', async () => {
    const { clock, recent } = ordersOf()

    expect([await recent(), await recent({ limit: 25, before: 'x' })]).toEqual(['pst_1', 'pst_2'])
    clock.now = 999
    expect([await recent(), await recent({ limit: 25, before: 'x' })]).toEqual(['pst_1', 'pst_2'])
    clock.now = 1_000
    expect(await recent()).toBe('pst_3')
  })

  it('are asked for anew when ranking tells that posts came or went, where they did', async () => {
    const { orders, recent } = ordersOf()
    const general = { limit: 25, community: 'general' }
    await recent()
    await recent(general)

    orders.invalidate(['hot', 'hot:other', 'posts'])

    expect([await recent(), await recent(general)]).toEqual(['pst_3', 'pst_2'])
  })

  it('are not kept when posts came or went while they were asked for', async () => {
    const { orders, state, recent } = ordersOf()
    state.while_ = () => orders.invalidate(['hot'])
    await recent()
    state.while_ = () => orders.clear()
    await recent()
    state.while_ = () => {}

    expect([await recent(), await recent()]).toEqual(['pst_3', 'pst_3'])
  })

  it('are never an old one for an answer that is kept, which renews what is kept here', async () => {
    const { orders, recent } = ordersOf()
    await recent()

    expect((await orders.fresh(FIRST, meta)).ranked?.[0]?.[0]).toBe('pst_2')
    expect(await recent()).toBe('pst_2')
  })

  it('are not kept where ranking has none, or is away', async () => {
    const none = ordersOf({ ranked: null })
    await none.recent()
    await none.recent()
    const away = ordersOf({ isAway: true })

    expect(none.state.asked).toBe(2)
    await expect(away.recent()).rejects.toMatchObject({ code: 'unavailable' })
  })
})
