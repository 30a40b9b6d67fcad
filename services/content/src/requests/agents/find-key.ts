import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { findKey as contract } from '@stoa/shared/contracts/agents.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { ContentDeps } from '../../deps.ts'

/**
 * The stored half of a key by its public half, for a gateway to compare; null if unknown. The key
 * counts as used only if the whole key was sent: the public half alone is no secret.
 */
export async function findKey(
  { keys, keyUses }: ContentDeps,
  input: InputOf<typeof contract>,
): Promise<Reply<OutputOf<typeof contract>>> {
  const row = await keys.load(input.public_id)
  if (!row) return reply({ object: 'key', key: null })
  const { id: _, use_is_stale: stale, ...key } = row
  if (stale && input.hash_hex === key.hash_hex) keyUses.note(key.key_id)
  return reply({ object: 'key', key })
}
