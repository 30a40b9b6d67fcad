import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { createKey as contract } from '@stoa/shared/contracts/agents.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { invalidField } from '@stoa/shared/errors/errors.js'
import { issueKey } from '@stoa/shared/identifiers/api-key.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import type { ContentDeps } from '../../deps.ts'
import { renderKey } from '../../rendering/key.ts'
import { lockAgentRow } from '../../tables/agents.ts'
import { insertKey, LIVE_KEYS_MAX, listLiveKeys } from '../../tables/keys.ts'
import { accountLock, shareTarget } from '../../writes/lock-target.ts'
import { requireCaller, requireWriter } from '../../writes/writer.ts'

/** Makes another key for the caller, shown this once; its other keys stay valid. */
export async function createKey(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const id = newId('key')
  const issued = issueKey()
  const key = await deps.db.transaction(async (tx) => {
    const { agent_id: agentId } = requireCaller(meta)
    // A concurrent deletion of the account waits, and then revokes this key too.
    shareTarget(tx, accountLock(agentId))
    // Creations of keys take turns, so that the live keys can be counted. A revocation of all keys
    // takes turns with them too, so the caller's own key is checked after this lock.
    lockAgentRow(tx, agentId)
    await requireWriter(tx, meta)
    const live = await listLiveKeys(tx, agentId)
    if (live.length >= LIVE_KEYS_MAX) {
      throw invalidField(
        '',
        'too_many_keys',
        `asks for another key, but you have ${LIVE_KEYS_MAX} live keys: revoke one first`,
      )
    }
    insertKey(tx, { id, agentId, issued, expiresInDays: input.expires_in_days })
    const keys = await listLiveKeys(tx, agentId)
    return keys.find((row) => row.id === id)
  })
  if (!key) throw new Error('the key just made is not there')
  return reply({ object: 'key', key: renderKey(key), api_key: issued.key }, { outcome: 'created' })
}
