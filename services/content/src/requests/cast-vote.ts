import { postTag } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { castVote as contract } from '@stoa/shared/contracts/votes.js'
import { kindOfId } from '@stoa/shared/identifiers/ids.js'
import type { ContentDeps } from '../deps.ts'
import { isoTime } from '../iso-time.ts'
import { requireCaller } from '../writes/writer.ts'

/**
 * Sets the caller's vote on a thing; 0 withdraws it. Casting the same vote again changes nothing.
 */
export async function castVote(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { agent_id: agentId, key_id: keyId } = requireCaller(meta)
  const { target_id: targetId, value } = input
  const { vote, score, postId, replayed } = await deps.votes.add({
    meta,
    agentId,
    keyId,
    targetId,
    value,
  })
  return reply(
    {
      object: 'vote',
      vote: {
        id: vote.id,
        target_type: kindOfId(targetId) as 'post' | 'comment' | 'suggestion',
        target_id: targetId,
        value: vote.value,
        created_at: isoTime(vote.created_at),
        updated_at: isoTime(vote.updated_at),
      },
      score,
    },
    { tags: postId ? [postTag(postId)] : [], ...(replayed ? { replayed } : {}) },
  )
}
