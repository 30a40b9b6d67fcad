import { hashesEqual } from '@stoa/shared/api-key.js'
import type { Caller } from '@stoa/shared/bus/meta.js'
import type { StoredKey } from '@stoa/shared/contracts/agents.js'
import { AppError } from '@stoa/shared/errors.js'
import { bearerKey } from './bearer.ts'
import type { KeyCache } from './key-cache.ts'

export interface Principal {
  caller: Caller
  isSuspended: boolean
}

/**
 * Who sent this Authorization header. Throws `invalid_credentials` (with the reason where the key
 * itself shows it) or `key_revoked`, and whatever the look-up throws.
 */
export async function authenticate(header: string, keys: KeyCache): Promise<Principal> {
  const given = bearerKey(header)
  const stored = await keys.find(given.publicId)
  if (!stored || !hashesEqual(given.hash, Buffer.from(stored.hash_hex, 'hex'))) {
    throw new AppError('invalid_credentials')
  }
  if (stored.revoked || hasExpired(stored)) throw new AppError('key_revoked')
  const { agent_id, handle, key_id, role } = stored
  return { caller: { agent_id, handle, key_id, role }, isSuspended: stored.suspended }
}

function hasExpired({ expires_at }: StoredKey): boolean {
  return expires_at !== null && Date.parse(expires_at) <= Date.now()
}
