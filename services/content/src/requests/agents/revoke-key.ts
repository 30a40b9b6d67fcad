import { keyTag } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { revokeKey as contract } from '@stoa/shared/contracts/agents.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { notFound, type Warning } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../../deps.ts'
import { isoTime } from '../../iso-time.ts'
import { announce } from '../../notices.ts'
import { renderKey } from '../../rendering/key.ts'
import { type KeyRow, listLiveKeys } from '../../tables/keys.ts'
import { accountLock, lockTarget } from '../../writes/lock-target.ts'
import { requireCaller, requireWriter } from '../../writes/writer.ts'

/** Revokes a key of the caller, even the one it uses or its last. Repeating it changes nothing. */
export async function revokeKey(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const tags = [keyTag(input.id)]
  const { row, isLast } = await deps.db.transaction(async (tx) => {
    const { agent_id: agentId } = requireCaller(meta)
    // Requests with this agent's keys take turns with this lock: none succeeds with a key revoked
    // here.
    lockTarget(tx, accountLock(agentId))
    await requireWriter(tx, meta, { suspendedMay: true })
    const [revoked] = await tx.rows<KeyRow & { revoked_at: number }>(
      'revoke-key',
      `UPDATE api_keys SET revoked_at = coalesce(revoked_at, date_trunc('milliseconds', now()))
       WHERE id = $1 AND agent_id = $2
       RETURNING id, public_id, created_at, last_used_at, expires_at, revoked_at`,
      [input.id, agentId],
    )
    if (!revoked) throw notFound('key')
    announce(tx, deps.notices, tags)
    return { row: revoked, isLast: (await listLiveKeys(tx, agentId)).length === 0 }
  })
  const key = { ...renderKey(row), revoked_at: isoTime(row.revoked_at) }
  const warnings: Warning[] = isLast ? [{ code: 'last_key', name: 'id' }] : []
  return reply({ object: 'key', key }, { tags, warnings })
}
