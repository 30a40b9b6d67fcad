import type { IncomingMessage } from 'node:http'
import { afterEach, describe, expect, it, jest } from '@jest/globals'
import type { StoredKey } from '@stoa/shared/contracts/agents.js'
import { findKeys, type IssuedKey, issueKey } from '@stoa/shared/identifiers/api-key.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { keptBytes } from '../../../../tests/support/heap.ts'
import { storedKey } from '../testing/stored-key.ts'
import { authenticate, createRecognize } from './authenticate.ts'
import { KeyCache } from './key-cache.ts'

/** A key store that holds one key and counts how often it is asked. */
function storeOf(key: StoredKey | null) {
  const state = { key, asked: 0 }
  const keys = new KeyCache(async () => {
    state.asked++
    return state.key
  })
  return { state, keys }
}

/** A whole key with the public id of one key and the secret of another. */
function twinOf(one: IssuedKey, other: IssuedKey): string {
  const body = other.key.slice(0, -6).replace(other.publicId, one.publicId)
  return findKeys(body)[0]?.key as string
}

afterEach(() => {
  jest.useRealTimers()
  jest.restoreAllMocks()
})

describe('authentication', () => {
  const issued = issueKey()
  const header = `Bearer ${issued.key}`

  it('identifies the agent by its key, and ignores the case of the scheme', async () => {
    const { keys } = storeOf(storedKey(issued))

    const principal = await authenticate(`bearer   ${issued.key}`, keys)

    expect(principal).toEqual({
      caller: { agent_id: 'agt_1', handle: 'ann', key_id: 'key_1', role: 'agent' },
      isSuspended: false,
    })
  })

  it('gives different reasons for a wrong scheme, a truncated, a mistyped and an unknown key', async () => {
    const { keys } = storeOf(null)
    const last = issued.key.at(-1) === 'a' ? 'b' : 'a'
    const reasonOf = (text: string) =>
      authenticate(text, keys).catch((error) => [error.code, error.details.reason])

    expect(await reasonOf(issued.key)).toEqual(['invalid_credentials', 'scheme'])
    expect(await reasonOf(header.slice(0, -1))).toEqual(['invalid_credentials', 'format'])
    expect(await reasonOf(header.slice(0, -1) + last)).toEqual(['invalid_credentials', 'checksum'])
    expect(await reasonOf(header)).toEqual(['invalid_credentials', undefined])
  })

  it('refuses a key that shares only its public id with a stored key', async () => {
    const { keys } = storeOf(storedKey(issueKey()))

    await expect(authenticate(header, keys)).rejects.toMatchObject({ code: 'invalid_credentials' })
  })

  it('refuses a key that was revoked', async () => {
    const { keys } = storeOf(storedKey(issued, { revoked: true }))

    await expect(authenticate(header, keys)).rejects.toMatchObject({ code: 'key_revoked' })
  })

  it('looks a key up again when it expires, even if the system clock is set back or forward', async () => {
    jest.useFakeTimers()
    const { keys, state } = storeOf(storedKey(issued, { expires_in_ms: 5_000 }))
    await authenticate(header, keys)
    state.key = storedKey(issued, { revoked: true, expires_in_ms: -1 })

    for (const hours of [-2, 2]) {
      jest.setSystemTime(Date.now() + hours * 3_600_000)
      await expect(authenticate(header, keys)).resolves.toBeDefined()
    }
    jest.advanceTimersByTime(5_000)

    await expect(authenticate(header, keys)).rejects.toMatchObject({ code: 'key_revoked' })
    await authenticate(header, keys).catch(() => {})
    expect(state.asked).toBe(2)
  })

  it('looks a key up once if the content service is of the release before and names no expiry', async () => {
    const { expires_in_ms: _, ...older } = storedKey(issued)
    const { keys, state } = storeOf(older as StoredKey)

    await authenticate(header, keys)
    await authenticate(header, keys)

    expect(state.asked).toBe(1)
  })

  it('looks a key up once for many requests, and again after the key or its agent changed', async () => {
    const { keys, state } = storeOf(storedKey(issued))
    await Promise.all([1, 2, 3].map(() => authenticate(header, keys)))
    await authenticate(header, keys)
    expect(state.asked).toBe(1)

    state.key = storedKey(issued, { revoked: true })
    keys.invalidate(['key:key_1'])

    await expect(authenticate(header, keys)).rejects.toMatchObject({ code: 'key_revoked' })
    keys.invalidate(['account:ann'])
    await authenticate(header, keys).catch(() => {})
    expect(state.asked).toBe(3)
  })

  it('looks every key up again after the bus was away', async () => {
    const { keys, state } = storeOf(storedKey(issued))
    await authenticate(header, keys)
    state.key = storedKey(issued, { revoked: true })

    keys.clear()

    await expect(authenticate(header, keys)).rejects.toMatchObject({ code: 'key_revoked' })
  })

  const FORGETTING: [string, (keys: KeyCache) => void][] = [
    ['the key was revoked', (keys) => keys.invalidate(['key:key_1'])],
    ['whatever was said had been missed', (keys) => keys.clear()],
  ]

  it.each(FORGETTING)(
    'gives no lookup from before %s to a request from after that',
    async (_, forget) => {
      const finish: ((key: StoredKey) => void)[] = []
      const keys = new KeyCache(() => new Promise((resolve) => finish.push(resolve)))
      const before = keys.find(issued)
      forget(keys)

      const after = keys.find(issued)
      finish[0]?.(storedKey(issued))
      finish[1]?.(storedKey(issued, { revoked: true }))

      expect([(await before)?.revoked, (await after)?.revoked]).toEqual([false, true])
    },
  )

  it.each(FORGETTING)('does not keep a key that was looked up before %s', async (_, forget) => {
    let finish = (_: StoredKey | null) => {}
    let asked = 0
    const keys = new KeyCache(() => {
      asked++
      return new Promise((resolve) => (finish = resolve))
    })
    const first = keys.find(issued)
    forget(keys)
    finish(storedKey(issued))
    await first

    const second = keys.find(issued)
    finish(null)

    expect(await second).toBeNull()
    expect(asked).toBe(2)
  })

  it('looks an unknown key up once, and again after the bus was away', async () => {
    let asked = 0
    const keys = new KeyCache(async () => {
      asked++
      return null
    })

    for (let n = 0; n < 3; n++) expect(await keys.find(issued)).toBeNull()
    expect(asked).toBe(1)
    keys.clear()

    expect(await keys.find(issued)).toBeNull()
    expect(asked).toBe(2)
  })

  it('looks an unknown key up again after ten seconds', async () => {
    const { keys, state } = storeOf(null)
    const now = performance.now.bind(performance)
    const clock = jest.spyOn(performance, 'now')
    await keys.find(issued)
    state.key = storedKey(issued)
    expect(await keys.find(issued)).toBeNull()

    clock.mockImplementation(() => now() + 11_000)

    await eventually('it is known', async () => (await keys.find(issued)) !== null)
  })

  it('remembers at most 2,000 unknown keys, and apart from the known keys', async () => {
    const asked: string[] = []
    const keys = new KeyCache(async ({ publicId }) => {
      asked.push(publicId)
      return publicId === issued.publicId ? storedKey(issued) : null
    })
    await keys.find(issued)
    const guesses = Array.from({ length: 2_001 }, (_, n) => String(n))
    for (const publicId of guesses) await keys.find({ publicId })
    asked.length = 0

    for (const publicId of [issued.publicId, '2000', '1', '0']) await keys.find({ publicId })

    expect(asked).toEqual(['0'])
  })

  it('shares a lookup between two requests if only other tags were invalidated between them', async () => {
    let finish = (_: StoredKey) => {}
    let asked = 0
    const keys = new KeyCache(() => {
      asked++
      return new Promise((resolve) => (finish = resolve))
    })
    const first = keys.find(issued)
    keys.invalidate(['posts', 'agent:ann'])

    const second = keys.find(issued)
    finish(storedKey(issued))

    await Promise.all([first, second])
    expect(asked).toBe(1)
  })

  it('looks a key in use up again after 30 seconds without delaying its requests', async () => {
    jest.useFakeTimers()
    const { keys, state } = storeOf(storedKey(issued))
    const handle = () =>
      authenticate(header, keys).then(
        ({ caller }) => caller.handle,
        () => undefined,
      )
    await handle()
    jest.advanceTimersByTime(29_000)
    await handle()
    expect(state.asked).toBe(1)

    state.key = storedKey(issued, { handle: 'ann2' })
    jest.advanceTimersByTime(2_000)
    expect(await Promise.all([handle(), handle()])).toEqual(['ann', 'ann'])
    await jest.advanceTimersByTimeAsync(0)
    expect([await handle(), state.asked]).toEqual(['ann2', 2])

    state.key = null
    jest.advanceTimersByTime(31_000)
    expect(await handle()).toBe('ann2')
    await jest.advanceTimersByTimeAsync(0)
    expect(await handle()).toBeUndefined()
  })

  it('accepts a known key for at most a minute while lookups fail', async () => {
    jest.useFakeTimers()
    let asked = 0
    const keys = new KeyCache(async () => {
      if (asked++ > 0) throw new Error('nobody answers')
      return storedKey(issued)
    })
    await authenticate(header, keys)

    for (let second = 0; second < 59; second++) {
      jest.advanceTimersByTime(1_000)
      await expect(authenticate(header, keys)).resolves.toBeDefined()
    }
    expect(asked).toBe(2)
    jest.advanceTimersByTime(2_000)

    await expect(authenticate(header, keys)).rejects.toThrow('nobody answers')
  })

  it('passes the hash of the sent key to the lookup, and looks up again after a wrong guess', async () => {
    const shown: boolean[] = []
    const keys = new KeyCache(async ({ hash }) => {
      shown.push(hash?.equals(issued.hash) ?? false)
      return storedKey(issued)
    })
    const guess = issueKey()
    const { publicId, hash } = { ...guess, publicId: issued.publicId }
    await keys.find({ publicId, hash })
    expect(shown).toEqual([false])

    await authenticate(header, keys)
    await authenticate(header, keys)

    expect(shown).toEqual([false, true])
  })

  it('does not count a key as used if only its public id was given, or a wrong secret with it', async () => {
    jest.useFakeTimers()
    const { keys, state } = storeOf(storedKey(issued))
    await keys.find({ publicId: issued.publicId })
    const guess = `Bearer ${twinOf(issued, issueKey())}`

    await expect(authenticate(guess, keys)).rejects.toMatchObject({ code: 'invalid_credentials' })
    expect(state.asked).toBe(1)

    await authenticate(header, keys)
    expect(state.asked).toBe(2)
  })

  it('drops the keys that were used longest ago if it has too many, not all keys', async () => {
    const keys = new KeyCache(async ({ publicId }) =>
      storedKey(issued, { key_id: `key_${publicId}`, handle: `a${publicId}` }),
    )
    const ids = Array.from({ length: 40_001 }, (_, n) => String(n))
    for (const publicId of ids) await keys.find({ publicId })

    const known = ids.filter((id) => keys.known(id))

    expect([known.length, known[0]]).toEqual([20_000, '20001'])
    keys.invalidate(['account:a40000'])
    expect(keys.known('40000')).toBeUndefined()
  })

  it('takes no memory for the keys that it has dropped', async () => {
    const keys = new KeyCache(async ({ publicId }) =>
      storedKey(issued, { key_id: `key_${publicId}`, handle: `a${publicId}` }),
    )

    const kept = await keptBytes(async () => {
      for (let n = 0; n < 50_000; n++) await keys.find({ publicId: String(n) })
      keys.clear()
    })

    // The tags of the keys together take 10 MB.
    expect(kept).toBeLessThan(1_000_000)
  })
})

describe('the recognition of a cached key', () => {
  const issued = issueKey()
  const other = issueKey()
  const on = (socket: object, key: string) =>
    ({ socket, headers: { authorization: `Bearer ${key}` } }) as unknown as IncomingMessage

  async function holding(...keys: [IssuedKey, StoredKey][]) {
    const cache = new KeyCache(async ({ publicId }) => {
      return keys.find(([{ publicId: id }]) => id === publicId)?.[1] ?? null
    })
    for (const [key] of keys) await cache.find(key)
    return { cache, recognize: createRecognize(cache) }
  }

  it('distinguishes agents that share a connection through a proxy', async () => {
    const socket = {}
    const theirs = storedKey(other, { key_id: 'key_2', agent_id: 'agt_2', handle: 'ben' })
    const { recognize } = await holding([issued, storedKey(issued)], [other, theirs])
    const handles = [issued, issued, other, issued].map(
      ({ key }) => recognize(on(socket, key))?.caller.handle,
    )

    expect(handles).toEqual(['ann', 'ann', 'ben', 'ann'])
  })

  it('ends when the key expires, and when the key or its agent changes', async () => {
    jest.useFakeTimers()
    const socket = {}
    const { cache, recognize } = await holding([
      issued,
      storedKey(issued, { expires_in_ms: 5_000 }),
    ])
    const isKnown = () => recognize(on(socket, issued.key)) !== undefined
    expect([isKnown(), isKnown()]).toEqual([true, true])

    jest.advanceTimersByTime(5_000)
    expect(isKnown()).toBe(false)
    await cache.find(issued)
    for (const tag of ['key:key_1', 'account:ann']) {
      cache.invalidate([tag])
      expect(isKnown()).toBe(false)
      await cache.find(issued)
      expect(isKnown()).toBe(true)
    }
  })

  it('looks the key up again in the background while requests use it', async () => {
    jest.useFakeTimers()
    const stored = storedKey(issued)
    const keys = new KeyCache(async () => ({ ...stored }))
    const recognize = createRecognize(keys)
    const handle = () => recognize(on({}, issued.key))?.caller.handle
    await keys.find(issued)
    stored.handle = 'ann2'

    jest.advanceTimersByTime(31_000)
    expect(handle()).toBe('ann')
    await jest.advanceTimersByTimeAsync(0)

    expect(handle()).toBe('ann2')
  })

  it('fails for a malformed, unknown or revoked key', async () => {
    const { recognize } = await holding([issued, storedKey(issued, { revoked: true })])

    for (const key of ['nonsense', other.key, issued.key]) {
      expect(recognize(on({}, key))).toBeUndefined()
    }
  })

  it('fails for a key with the public id of a known key and another secret', async () => {
    const { recognize } = await holding([issued, storedKey(issued)])

    expect(recognize(on({}, issued.key))).toBeDefined()
    expect(recognize(on({}, twinOf(issued, other)))).toBeUndefined()
  })
})
