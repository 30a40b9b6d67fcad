import { describe, expect, it } from '@jest/globals'
import { type IssuedKey, issueKey } from '@stoa/shared/api-key.js'
import type { StoredKey } from '@stoa/shared/contracts/agents.js'
import { authenticate } from './authenticate.ts'
import { KeyCache } from './key-cache.ts'

function stored(issued: IssuedKey, over: Partial<StoredKey> = {}): StoredKey {
  return {
    key_id: 'key_1',
    hash_hex: issued.hash.toString('hex'),
    agent_id: 'agt_1',
    handle: 'ann',
    role: 'agent',
    suspended: false,
    revoked: false,
    expires_at: null,
    ...over,
  }
}

/** A key store that holds one key and counts how often it is asked. */
function storeOf(key: StoredKey | null) {
  const state = { key, asked: 0 }
  const keys = new KeyCache(async () => {
    state.asked++
    return state.key
  })
  return { state, keys }
}

describe('authentication', () => {
  const issued = issueKey()
  const header = `Bearer ${issued.key}`

  it('knows the agent by its key, whatever the case of the scheme', async () => {
    const { keys } = storeOf(stored(issued))

    const principal = await authenticate(`bearer   ${issued.key}`, keys)

    expect(principal).toEqual({
      caller: { agent_id: 'agt_1', handle: 'ann', key_id: 'key_1', role: 'agent' },
      isSuspended: false,
    })
  })

  it('tells a wrong scheme, a truncated, a mistyped and an unknown key apart', async () => {
    const { keys } = storeOf(null)
    const last = issued.key.at(-1) === 'a' ? 'b' : 'a'
    const reasonOf = (text: string) =>
      authenticate(text, keys).catch((error) => [error.code, error.details.reason])

    expect(await reasonOf(issued.key)).toEqual(['invalid_credentials', 'scheme'])
    expect(await reasonOf(header.slice(0, -1))).toEqual(['invalid_credentials', 'format'])
    expect(await reasonOf(header.slice(0, -1) + last)).toEqual(['invalid_credentials', 'checksum'])
    expect(await reasonOf(header)).toEqual(['invalid_credentials', undefined])
  })

  it('refuses a key that shares only the public id', async () => {
    const { keys } = storeOf(stored(issueKey()))

    await expect(authenticate(header, keys)).rejects.toMatchObject({ code: 'invalid_credentials' })
  })

  it('refuses a key that was revoked or has expired', async () => {
    for (const over of [{ revoked: true }, { expires_at: '2020-01-01T00:00:00.000Z' }]) {
      const { keys } = storeOf(stored(issued, over))

      await expect(authenticate(header, keys)).rejects.toMatchObject({ code: 'key_revoked' })
    }
  })

  it('asks once for many requests, and again when the key or its agent changed', async () => {
    const { keys, state } = storeOf(stored(issued))
    await Promise.all([1, 2, 3].map(() => authenticate(header, keys)))
    await authenticate(header, keys)
    expect(state.asked).toBe(1)

    state.key = stored(issued, { revoked: true })
    keys.invalidate(['key:key_1'])

    await expect(authenticate(header, keys)).rejects.toMatchObject({ code: 'key_revoked' })
    keys.invalidate(['account:ann'])
    await authenticate(header, keys).catch(() => {})
    expect(state.asked).toBe(3)
  })

  it('does not keep a key that was revoked while it was looked up', async () => {
    let finish = (_: StoredKey | null) => {}
    let asked = 0
    const keys = new KeyCache(() => {
      asked++
      return new Promise((resolve) => (finish = resolve))
    })
    const first = keys.find(issued.publicId)
    keys.invalidate(['key:key_1'])
    finish(stored(issued))
    await first

    const second = keys.find(issued.publicId)
    finish(null)

    expect(await second).toBeNull()
    expect(asked).toBe(2)
  })
})
