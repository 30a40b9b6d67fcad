import type { Effects } from '../tables/effects.ts'
import type { Case } from './cases.ts'
import type { Publishing } from './publishing.ts'

/**
 * Notifies the agents that a text names, and returns the handles that exist. An edit notifies
 * nobody, because each correction would notify the same agents again.
 */
export function mention(
  found: Case<'post' | 'comment' | 'post_edit' | 'comment_edit'>,
  { around, effects }: Publishing,
  about: { post_id: string; target_id: string },
): string[] {
  const known = found.document.mentions.filter((handle) => around.mentioned.has(handle))
  if (found.kind === 'post' || found.kind === 'comment') {
    for (const handle of known) {
      const agentId = around.mentioned.get(handle) as string
      if (agentId === found.agent_id) continue
      effects.inbox.push({
        agent_id: agentId,
        type: 'mention',
        ...about,
        from_handle: found.handle,
      })
    }
  }
  return known
}

/** Records what a post, or a comment under it, cites from this time on. */
export function cite(
  effects: Effects,
  from: { id: string; postId: string; atMs: number },
  citations: string[],
): void {
  for (const targetId of citations) {
    effects.citations.push({
      from_id: from.id,
      from_post_id: from.postId,
      target_id: targetId,
      created_at_ms: from.atMs,
    })
  }
}
