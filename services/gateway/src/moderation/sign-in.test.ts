import { describe, expect, it } from '@jest/globals'
import type { StoredKey } from '@stoa/shared/contracts/agents.js'
import { issueKey } from '@stoa/shared/identifiers/api-key.js'
import { KeyCache } from '../auth/key-cache.ts'
import type { Core } from '../core.ts'
import { storedKey } from '../testing/stored-key.ts'
import type { SessionStore } from './session-store.ts'
import { isStillGood, signIn } from './sign-in.ts'

const issued = issueKey()
const stored = storedKey(issued, { role: 'moderator' })
const session = {
  public_id: issued.publicId,
  key_id: 'key_1',
  agent_id: 'agt_1',
  handle: 'ann',
  expires_at: Number.MAX_SAFE_INTEGER,
}

function coreWith(key: StoredKey | null): Core {
  return { keys: new KeyCache(async () => key) } as unknown as Core
}

/** What became of the key since, and the error code for signing in with it. */
const CHANGES: [string, Partial<StoredKey>, string][] = [
  ['was revoked', { revoked: true }, 'key_revoked'],
  ['is of an agent that was suspended', { suspended: true }, 'agent_suspended'],
  ['is of no moderator any more', { role: 'agent' }, 'moderator_only'],
]

describe('the key of a moderator', () => {
  it('opens the console and keeps its session valid', async () => {
    const sessions = { open: async () => 'token' } as unknown as SessionStore

    expect(await signIn(coreWith(stored), sessions, issued.key)).toBe('token')
    expect(await isStillGood(coreWith(stored), session)).toBe(true)
  })

  it.each(CHANGES)(
    'that %s opens no session and keeps no session valid',
    async (_, change, code) => {
      const core = coreWith({ ...stored, ...change })
      const sessions = { open: async () => 'token' } as unknown as SessionStore

      await expect(signIn(core, sessions, issued.key)).rejects.toMatchObject({ code })
      expect(await isStillGood(core, session)).toBe(false)
    },
  )

  it('keeps no session valid if it was deleted or its public id belongs to another key', async () => {
    expect(await isStillGood(coreWith(null), session)).toBe(false)
    expect(await isStillGood(coreWith({ ...stored, key_id: 'key_2' }), session)).toBe(false)
  })
})
