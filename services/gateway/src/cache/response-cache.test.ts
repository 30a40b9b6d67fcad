import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { AppError } from '@stoa/shared/errors/errors.js'
import { signal } from '../../../../tests/support/signal.ts'
import type { Loaded } from './entry.ts'
import { RENEWALS_MAX, ResponseCache } from './response-cache.ts'

const KIB = 1_024

function cacheAt(clock = { now: 0 }, bytesMax = 1_024 * KIB) {
  const limits = { bytesMax, freshMs: 1_000, graceMs: 20, staleIfErrorMs: 10_000 }
  return { clock, cache: new ResponseCache(limits, () => clock.now) }
}

function answer(text: string, tags: string[] = ['post:1']): Loaded {
  return { body: Buffer.from(text), contentType: 'text/plain', tags }
}

/** A load that ends when `release` is called. */
function heldLoad(loaded: Loaded) {
  const { given, give: release } = signal()
  return { release, load: () => given.then(() => loaded) }
}

async function textOf(entry: Promise<{ plain: { body: Buffer } }>): Promise<string> {
  return (await entry).plain.body.toString()
}

afterEach(() => {
  jest.useRealTimers()
})

describe('the response cache', () => {
  it('loads an answer once for concurrent requests, and keeps it while it is fresh', async () => {
    const { cache, clock } = cacheAt()
    let loads = 0
    const load = async () => answer(`load ${++loads}`)

    const texts = await Promise.all([1, 2, 3].map(() => textOf(cache.read('key', load))))
    clock.now = 999
    const later = await textOf(cache.read('key', load))
    clock.now = 1_000
    const stale = await textOf(cache.read('key', load))

    expect(texts).toEqual(['load 1', 'load 1', 'load 1'])
    expect([later, stale]).toEqual(['load 1', 'load 2'])
  })

  it('drops the entries with an invalidated tag, and no other entries', async () => {
    const { cache } = cacheAt()
    await cache.read('one', async () => answer('one', ['post:1', 'posts']))
    await cache.read('two', async () => answer('two', ['post:2']))

    cache.invalidate(['post:1'])

    expect(cache.fresh('one')).toBeUndefined()
    expect(cache.fresh('two')).toBeDefined()
  })

  it('does not keep an answer whose tag was invalidated while it was loading', async () => {
    const { cache } = cacheAt()
    const held = heldLoad(answer('before the write'))
    const reading = cache.read('key', held.load)

    cache.invalidate(['post:1'])
    held.release()
    await reading

    expect(cache.fresh('key')).toBeUndefined()
  })

  it('does not give an answer from before an invalidation to a request from after it', async () => {
    const { cache } = cacheAt()
    const held = heldLoad(answer('before the write'))
    const first = textOf(cache.read('key', held.load))
    cache.invalidate(['post:1'])

    const second = textOf(cache.read('key', async () => answer('after the write')))
    held.release()

    expect(await first).toBe('before the write')
    expect(await second).toBe('after the write')
    expect(cache.fresh('key')?.plain.body.toString()).toBe('after the write')
  })

  it('gives an answer from before an invalidation to all requests from before it', async () => {
    const { cache } = cacheAt()
    const held = heldLoad(answer('before the write'))
    const first = textOf(cache.read('key', held.load))
    const second = textOf(cache.read('key', async () => answer('after the write')))

    cache.invalidate(['post:1'])
    held.release()

    expect([await first, await second]).toEqual(['before the write', 'before the write'])
    expect(cache.fresh('key')).toBeUndefined()
  })

  it('shares a load between two requests if only other tags were invalidated between them', async () => {
    const { cache } = cacheAt()
    const held = heldLoad(answer('shared'))
    const first = textOf(cache.read('key', held.load))
    cache.invalidate(['post:2'])
    const second = textOf(cache.read('key', async () => answer('own')))

    held.release()

    expect([await first, await second]).toEqual(['shared', 'shared'])
  })

  it('does not give an error from before a write to a request from after the write', async () => {
    const { cache } = cacheAt()
    let refuse = (_: unknown) => {}
    const first = cache.read('key', () => new Promise((_, reject) => (refuse = reject)))
    cache.invalidate(['post:1'])
    const second = textOf(cache.read('key', async () => answer('published')))

    refuse(new AppError('not_found'))

    await expect(first).rejects.toMatchObject({ code: 'not_found' })
    expect(await second).toBe('published')
  })

  it('keeps neither errors nor answers that are marked as not to be kept', async () => {
    const { cache } = cacheAt()
    await cache.read('error', () => Promise.reject(new AppError('not_found'))).catch(() => {})
    await cache.read('warned', async () => ({ ...answer('warned'), isKept: false }))

    expect(cache.size.entries).toBe(0)
  })

  it.each([
    ['a refusal', 'not_found', false],
    ['an outage, whatever was written since', 'unavailable', true],
  ] as const)(
    'gives %s to all requests that wait for the same load',
    async (_, code, isOutdated) => {
      const { cache } = cacheAt()
      let loads = 0
      let refuse = (_: unknown) => {}
      const load = () => {
        loads++
        return new Promise<Loaded>((_, reject) => (refuse = reject))
      }
      const first = cache.read('key', load)
      if (isOutdated) cache.invalidate(['post:1'])
      const second = cache.read('key', load)

      refuse(new AppError(code))

      await expect(first).rejects.toMatchObject({ code })
      await expect(second).rejects.toMatchObject({ code })
      expect(loads).toBe(1)
    },
  )

  it('serves a kept answer instead of a failed load only while the bus is away, and for ten seconds at most', async () => {
    const { cache, clock } = cacheAt({ now: 5_000 })
    const failed = (code: 'unavailable' | 'timeout' | 'not_found', key = 'key') =>
      cache.read(key, () => Promise.reject(new AppError(code)))
    await cache.read('key', async () => answer('kept'))
    clock.now = 10_000

    await expect(failed('unavailable')).rejects.toMatchObject({ code: 'unavailable' })
    cache.disconnected()
    expect(await textOf(failed('unavailable'))).toBe('kept')
    expect(await textOf(failed('timeout'))).toBe('kept')
    await expect(failed('not_found')).rejects.toMatchObject({ code: 'not_found' })
    await expect(failed('timeout', 'other')).rejects.toMatchObject({ code: 'timeout' })
    clock.now = 15_000
    await expect(failed('unavailable')).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('is empty after the bus came back, and does not keep an answer from a load before that', async () => {
    const { cache } = cacheAt()
    await cache.read('key', async () => answer('old'))
    const held = heldLoad(answer('asked before'))
    const reading = cache.read('other', held.load)

    cache.disconnected()
    cache.reconnected()
    held.release()
    await reading

    expect(cache.size.entries).toBe(0)
  })

  it('loads every answer while the bus is away, and keeps answers again once the bus is back', async () => {
    const { cache } = cacheAt()
    let loads = 0
    const read = () => textOf(cache.read('key', async () => answer(`load ${++loads}`)))
    await read()

    cache.disconnected()
    const away = await read()
    cache.reconnected()

    expect([away, await read(), await read()]).toEqual(['load 2', 'load 3', 'load 3'])
  })

  it.each(['disconnected', 'reconnected'] as const)(
    'shares no load from before it was %s with a request from after that',
    async (turn) => {
      const { cache } = cacheAt()
      if (turn === 'reconnected') cache.disconnected()
      const held = heldLoad(answer('before'))
      const first = textOf(cache.read('key', held.load))
      cache[turn]()
      const second = textOf(cache.read('key', async () => answer('after')))

      held.release()

      expect([await first, await second]).toEqual(['before', 'after'])
    },
  )

  it('stays within its maximum of bytes', async () => {
    const { cache } = cacheAt({ now: 0 }, 100 * KIB)
    for (let i = 0; i < 50; i++) {
      await cache.read(`key ${i}`, async () => answer('x'.repeat(10 * KIB)))
    }

    expect(cache.size.bytes).toBeLessThanOrEqual(100 * KIB)
    expect(cache.size.entries).toBeGreaterThan(0)
  })

  it('keeps an early entry while many other keys are requested once each', async () => {
    const { cache } = cacheAt({ now: 0 }, 100 * KIB)
    const read = (key: string) => cache.read(key, async () => answer('x'.repeat(10 * KIB), [key]))
    await read('asked again')
    for (let i = 0; i < 50; i++) await read(`walked ${i}`)

    expect(cache.fresh('asked again')).toBeDefined()
  })

  it('keeps a new answer in a full cache only from its second request on', async () => {
    const { cache } = cacheAt({ now: 0 }, 100 * KIB)
    const read = (key: string) => cache.read(key, async () => answer('x'.repeat(10 * KIB), [key]))
    for (let i = 0; i < 50; i++) await read(`walked ${i}`)

    await read('new')
    const once = cache.has('new')
    await read('new')

    expect([once, cache.has('new')]).toEqual([false, true])
    expect(cache.size.bytes).toBeLessThanOrEqual(100 * KIB)
  })
})

describe('an outdated list', () => {
  /** A cache with one list that was asked for since it was read. */
  async function aHotList(load: () => Promise<Loaded>) {
    const { cache, clock } = cacheAt()
    await cache.read('list', load, true)
    cache.fresh('list')
    return { cache, clock, text: () => cache.fresh('list')?.plain.body.toString() }
  }

  /** A load that answers 1, 2, 3 and so on, each when `end` is called. */
  function heldLoads() {
    const waiting: (() => void)[] = []
    let count = 0
    const load = () =>
      new Promise<Loaded>((resolve) => {
        const text = `${++count}`
        waiting.push(() => resolve(answer(text, ['posts'])))
      })
    const begun = async (many: number) => {
      while (waiting.length < many) await new Promise(setImmediate)
    }
    const many = () => waiting.length
    return { load, begun, many, end: (which: number) => waiting[which - 1]?.() }
  }

  async function aHeldHotList() {
    const loads = heldLoads()
    const first = aHotList(loads.load)
    loads.end(1)
    return { ...(await first), loads }
  }

  it('is served for 20 ms while it is loaded again, and no longer', async () => {
    const { cache, clock, text, loads } = await aHeldHotList()

    cache.outdate(['posts'])
    clock.now = 19
    const within = text()
    clock.now = 20
    const beyond = text()
    await loads.begun(2)
    loads.end(2)
    await cache.read('list', loads.load)

    expect([within, beyond, text()]).toEqual(['1', undefined, '2'])
  })

  it('is served no longer if it is outdated again during its 20 ms', async () => {
    const { cache, clock, text } = await aHeldHotList()

    cache.outdate(['posts'])
    clock.now = 15
    cache.outdate(['posts'])
    clock.now = 20

    expect(text()).toBeUndefined()
  })

  it('is dropped if loading it again fails', async () => {
    let reads = 0
    const { cache, text } = await aHotList(async () => {
      if (++reads > 1) throw new AppError('unavailable')
      return answer('1', ['posts'])
    })

    cache.outdate(['posts'])
    while (reads < 2) await new Promise(setImmediate)
    await new Promise(setImmediate)

    expect(text()).toBeUndefined()
  })

  it('is dropped if as many lists as allowed are being loaded again', async () => {
    const { cache } = cacheAt()
    const keys = Array.from({ length: RENEWALS_MAX + 1 }, (_, n) => `list ${n}`)
    for (const key of keys) {
      await cache.read(key, async () => answer(key, ['posts']), true)
      cache.fresh(key)
    }

    cache.outdate(['posts'])

    expect(keys.filter((key) => cache.fresh(key))).toHaveLength(RENEWALS_MAX)
  })

  it('is dropped if nobody requested it since it was loaded', async () => {
    const { cache } = cacheAt()
    await cache.read('list', async () => answer('1', ['posts']), true)

    cache.outdate(['posts'])

    expect(cache.fresh('list')).toBeUndefined()
  })

  it('is dropped if it cannot be loaded without its request', async () => {
    const { cache } = cacheAt()
    await cache.read('list', async () => answer('1', ['posts']))
    cache.fresh('list')

    cache.outdate(['posts'])

    expect(cache.fresh('list')).toBeUndefined()
  })

  it('is dropped if as many other keys as allowed are being loaded', async () => {
    const { cache, text } = await aHotList(async () => answer('1', ['posts']))
    for (let n = 0; n < RENEWALS_MAX; n++) void cache.read(`${n}`, () => new Promise(() => {}))

    cache.outdate(['posts'])

    expect(text()).toBeUndefined()
  })

  it.each<[string, (cache: ResponseCache) => void]>([
    ['was dropped', (cache) => cache.invalidate(['posts'])],
    ['cannot be told of any more', (cache) => cache.disconnected()],
  ])('is not loaded again if it %s meanwhile', async (_, meanwhile) => {
    let reads = 0
    const { cache, clock } = await aHotList(async () => answer(`${++reads}`, ['posts']))
    // From this time on the list may be read again at once.
    clock.now = 10
    cache.outdate(['posts'])

    meanwhile(cache)

    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
    expect(reads).toBe(1)
  })

  it('is dropped if the outdated tag is of a single post', async () => {
    const { cache, text } = await aHotList(async () => answer('1', ['posts', 'post:1']))

    cache.outdate(['post:1'])

    expect(text()).toBeUndefined()
  })

  it('is replaced by a list from after the write before the write is settled', async () => {
    const { cache, text, loads } = await aHeldHotList()

    const settled = cache.settle(['posts'])
    const meanwhile = text()
    await loads.begun(2)
    loads.end(2)
    await settled

    expect([meanwhile, text()]).toEqual(['1', '2'])
  })

  it.each([
    [19, 'before'],
    [20, 'after'],
  ])(
    'whose load ends %i ms after a write gives a later request the text from %s the write',
    async (now, text) => {
      const { cache, clock } = cacheAt()
      const held = heldLoad(answer('before', ['posts']))
      const first = textOf(cache.read('list', held.load, true))
      cache.outdate(['posts'])
      const second = textOf(cache.read('list', async () => answer('after', ['posts']), true))

      clock.now = now
      held.release()

      expect([await first, await second]).toEqual(['before', text])
    },
  )

  it('is given to all requests from before the write, however long its load takes', async () => {
    const { cache, clock } = cacheAt()
    const held = heldLoad(answer('before', ['posts']))
    const first = textOf(cache.read('list', held.load, true))
    const second = textOf(cache.read('list', async () => answer('after', ['posts']), true))
    cache.outdate(['posts'])

    clock.now = 20
    held.release()

    expect([await first, await second]).toEqual(['before', 'before'])
  })

  it('is dropped when the write is settled before the list could be loaded again', async () => {
    const { cache, text } = await aHeldHotList()

    await cache.settle(['posts'])

    expect(text()).toBeUndefined()
  })

  it('is not replaced by a load that began before the write', async () => {
    const { cache, text, loads } = await aHeldHotList()
    cache.outdate(['posts'])
    await loads.begun(2)

    const settled = cache.settle(['posts'])
    loads.end(2)
    await settled

    expect(text()).toBeUndefined()
    loads.end(3)
    expect(await textOf(cache.read('list', loads.load))).toBe('3')
  })

  it('is not replaced by a load that began earlier and ends later than another load', async () => {
    const { cache, clock, text, loads } = await aHeldHotList()
    clock.now = 1_000
    const earlier = cache.read('list', loads.load, true)
    cache.outdate(['posts'])
    await loads.begun(3)

    loads.end(3)
    await new Promise(setImmediate)
    loads.end(2)
    await earlier

    expect(text()).toBe('3')
  })

  it('is replaced by a load that later writes overtook, until 20 ms after the first of them', async () => {
    const { cache, clock, text, loads } = await aHeldHotList()
    cache.outdate(['posts'])
    await loads.begun(2)
    clock.now = 15
    cache.outdate(['posts'])
    clock.now = 25
    cache.outdate(['posts'])

    loads.end(2)
    await new Promise(setImmediate)
    clock.now = 34
    const within = text()
    clock.now = 35

    expect([within, text()]).toEqual(['2', undefined])
  })

  it('is loaded again once at the end of a turn for all writes of this turn', async () => {
    let reads = 0
    const { cache, clock } = await aHotList(async () => answer(`${++reads}`, ['posts']))
    clock.now = 10

    cache.outdate(['posts'])
    cache.outdate(['posts', 'hot'])
    const before = reads
    await new Promise(setImmediate)

    expect([before, reads]).toEqual([1, 2])
  })

  it('is loaded again after each write while it is requested', async () => {
    let reads = 0
    const { cache, text } = await aHotList(async () => answer(`${++reads}`, ['posts']))

    const seen: (string | undefined)[] = []
    for (let writes = 0; writes < 3; writes++) {
      await cache.settle(['posts'])
      seen.push(text())
    }

    expect(seen).toEqual(['2', '3', '4'])
  })

  it('is loaded again once for all writes before its planned load begins', async () => {
    let reads = 0
    const { cache } = await aHotList(async () => answer(`${++reads}`, ['posts']))

    cache.outdate(['posts'])
    cache.outdate(['posts', 'hot'])
    await cache.settle(['posts'])

    expect(reads).toBe(2)
  })

  it('is loaded again at the earliest 10 ms after its last load began', async () => {
    const { cache, clock, loads } = await aHeldHotList()
    jest.useFakeTimers({ doNotFake: ['setImmediate'] })
    clock.now = 50
    cache.outdate(['posts'])
    await loads.begun(2)

    cache.outdate(['posts'])
    await jest.advanceTimersByTimeAsync(9)
    const before = loads.many()
    await jest.advanceTimersByTimeAsync(1)

    expect([before, loads.many()]).toEqual([2, 3])
  })

  it('is not loaded again if a request has begun to load it after the last write', async () => {
    const { cache, clock, loads } = await aHeldHotList()
    jest.useFakeTimers({ doNotFake: ['setImmediate'] })
    cache.outdate(['posts'])
    clock.now = 20
    const asked = textOf(cache.read('list', loads.load, true))

    await jest.advanceTimersByTimeAsync(10)
    loads.end(2)

    expect([await asked, loads.many()]).toEqual(['2', 2])
  })
})
