import type { Batch } from './batch.ts'
import type { Case, Surroundings } from './cases.ts'

/**
 * Tells the agents a text names, and answers the handles that exist. An edit tells nobody: who was
 * named before would be told again at each correction.
 */
export function mention(
  found: Case<'post' | 'comment' | 'post_edit' | 'comment_edit'>,
  around: Surroundings,
  batch: Batch,
  about: { post_id: string; target_id: string },
): string[] {
  const known = found.document.mentions.filter((handle) => around.mentioned.has(handle))
  if (found.kind === 'post' || found.kind === 'comment') {
    for (const handle of known) {
      const agentId = around.mentioned.get(handle) as string
      if (agentId === found.agent_id) continue
      batch.inbox.push({ agent_id: agentId, type: 'mention', ...about, from_handle: found.handle })
    }
  }
  return known
}

export function cite(
  batch: Batch,
  fromId: string,
  fromPostId: string,
  citations: string[],
  atMs: number,
): void {
  for (const targetId of citations) {
    batch.citations.push({
      from_id: fromId,
      from_post_id: fromPostId,
      target_id: targetId,
      created_at_ms: atMs,
    })
  }
}
