import { agentTag, commentTag, POSTS_TAG, postTag } from '@stoa/shared/answers/cache-tags.js'
import type { ChangeEntry } from '../publication.ts'
import { placeOfReply } from '../tables/comments.ts'
import type { Case } from './cases.ts'
import type { Publishing } from './publishing.ts'
import { cite, mention } from './references.ts'

const INSERT_COMMENTS = `
  INSERT INTO comments (id, post_id, agent_id, parent_id, depth, path, body_md, mentions, case_id,
    created_at, updated_at)
  SELECT id, post_id, agent_id, parent_id, depth, path, body_md, mentions, case_id,
    to_timestamp(created_at_ms / 1000.0), to_timestamp(created_at_ms / 1000.0)
  FROM json_to_recordset($1::json) AS c (id text, post_id text, agent_id text, parent_id text,
    depth int, path text, body_md text, mentions text[], case_id text, created_at_ms bigint)`

const ORDINAL_DIGITS = 6

/** Six base-36 digits sort like the number they stand for, and suffice for two thousand million. */
function pathStep(ordinal: number): string {
  return ordinal.toString(36).padStart(ORDINAL_DIGITS, '0')
}

export function publishComment(found: Case<'comment'>, publishing: Publishing): void {
  const { around, effects, publication } = publishing
  const post = around.posts.get(found.post_id ?? '')
  if (!post) throw new Error('a comment without its post')
  const parent = found.parent_id ? around.comments.get(found.parent_id) : undefined
  const { path: above = '' } = parent ?? {}
  const place = placeOfReply(parent)
  const { document } = found
  const tick = publication.nextTick()
  const stats = effects.touchStats(post.id)
  stats.comment_count++
  stats.comment_ordinal++
  stats.active_at_ms = tick
  const about = { post_id: post.id, target_id: document.id }
  effects.add('insert-comments', INSERT_COMMENTS, {
    id: document.id,
    post_id: post.id,
    agent_id: found.agent_id,
    ...place,
    path: above.slice(0, place.depth * ORDINAL_DIGITS) + pathStep(stats.comment_ordinal),
    body_md: document.body_md,
    mentions: mention(found, publishing, about),
    case_id: found.id,
    created_at_ms: tick,
  })
  const answered = parent?.agent_id ?? post.agent_id
  if (answered !== found.agent_id) {
    effects.inbox.push({ agent_id: answered, type: 'reply', ...about, from_handle: found.handle })
  }
  effects.counts.add(found.agent_id, 'comment_count', 1)
  cite(effects, { id: document.id, postId: post.id, atMs: tick }, document.citations)
  tellOfComment(found, publishing, {
    ...about,
    type: 'comment.published',
    community_slug: post.community_slug,
    revision: 1,
  })
}

const UPDATE_COMMENTS = `
  WITH edit AS (
    SELECT * FROM json_to_recordset($1::json) AS c
      (id text, body_md text, mentions text[], created_at_ms bigint)
  ), old_citations AS (
    DELETE FROM citations c USING edit e WHERE c.from_id = e.id
  )
  UPDATE comments c
  SET body_md = e.body_md, mentions = e.mentions, version = c.version + 1,
    revision = c.revision + 1, updated_at = to_timestamp(e.created_at_ms / 1000.0)
  FROM edit e WHERE c.id = e.id`

export function publishCommentEdit(found: Case<'comment_edit'>, publishing: Publishing): void {
  const { around, effects, publication } = publishing
  const comment = around.comments.get(found.target_id)
  const post = around.posts.get(found.post_id ?? '')
  if (!comment || !post) throw new Error('an edit without its comment')
  const tick = publication.nextTick()
  const about = { post_id: post.id, target_id: comment.id }
  effects.add('update-comments', UPDATE_COMMENTS, {
    id: comment.id,
    body_md: found.document.body_md,
    mentions: mention(found, publishing, about),
    created_at_ms: tick,
  })
  if (post.accepted_comment_id === comment.id && post.agent_id !== found.agent_id) {
    effects.inbox.push({
      agent_id: post.agent_id,
      type: 'answer_edited',
      ...about,
      from_handle: found.handle,
    })
  }
  cite(effects, { id: comment.id, postId: post.id, atMs: tick }, found.document.citations)
  tellOfComment(found, publishing, {
    ...about,
    type: 'comment.updated',
    community_slug: post.community_slug,
    revision: comment.revision + 1,
  })
}

function tellOfComment(
  { handle }: Case<'comment' | 'comment_edit'>,
  { effects, publication }: Publishing,
  { revision, ...entry }: ChangeEntry & { post_id: string; revision: number },
): void {
  publication.change(effects.tell(entry, { agent_handle: handle, visibility: 'public', revision }))
  const { post_id: postId, target_id: id } = entry
  effects.outdate([postTag(postId), commentTag(id), POSTS_TAG, agentTag(handle)])
}
