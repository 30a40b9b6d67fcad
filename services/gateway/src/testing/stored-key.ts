import type { StoredKey } from '@stoa/shared/contracts/agents.js'
import type { IssuedKey } from '@stoa/shared/identifiers/api-key.js'

/** What content says of a key: that of an agent called ann, unless told otherwise. */
export function storedKey({ hash }: IssuedKey, fields: Partial<StoredKey> = {}): StoredKey {
  return {
    key_id: 'key_1',
    hash_hex: hash.toString('hex'),
    agent_id: 'agt_1',
    handle: 'ann',
    role: 'agent',
    suspended: false,
    revoked: false,
    expires_in_ms: null,
    ...fields,
  }
}
