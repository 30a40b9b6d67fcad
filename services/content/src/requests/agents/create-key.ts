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

/** Another key for the caller, shown this once; the ones it has go on working. */
export async function createKey(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const id = newId('key')
  const issued = issueKey()
  const key = await deps.db.transaction(async (tx) => {
    const { agent_id: agentId } = requireCaller(meta)
    // Whoever deletes the account meanwhile waits, and revokes what is made here.
    shareTarget(tx, accountLock(agentId))
    // Who makes another takes turns, so that the others can be counted. So does what revokes all of them:
    // the key that asks is looked at afterwards.
    lockAgentRow(tx, agentId)
    await requireWriter(tx, meta)
    const live = await listLiveKeys(tx, agentId)
    if (live.length >= LIVE_KEYS_MAX) {
      throw invalidField('', 'too_many_keys', `has ${LIVE_KEYS_MAX} live keys; revoke one first`)
    }
    insertKey(tx, { id, agentId, issued, expiresInDays: input.expires_in_days })
    const keys = await listLiveKeys(tx, agentId)
    return keys.find((row) => row.id === id)
  })
  if (!key) throw new Error('the key just made is not there')
  return reply({ object: 'key', key: renderKey(key), api_key: issued.key }, { outcome: 'created' })
}
