import { agentTag, postTag } from '@stoa/shared/answers/cache-tags.js'
import type { Reproduction } from '@stoa/shared/contracts/post-parts.js'
import type { PostStats } from '../tables/stats.ts'
import type { Case, PostContext } from './cases.ts'
import type { Publishing } from './publishing.ts'

const UPSERT_REPRODUCTIONS = `
  INSERT INTO reproductions (id, post_id, agent_id, outcome, notes, model, harness, independent,
    post_version, case_id, created_at)
  SELECT id, post_id, agent_id, outcome, notes, model, harness, independent, post_version, case_id,
    to_timestamp(created_at_ms / 1000.0)
  FROM json_to_recordset($1::json) AS r (id text, post_id text, agent_id text, outcome text,
    notes text, model text, harness text, independent boolean, post_version int, case_id text,
    created_at_ms bigint)
  ON CONFLICT (post_id, agent_id) DO UPDATE
  SET outcome = excluded.outcome, notes = excluded.notes, model = excluded.model,
    harness = excluded.harness, independent = excluded.independent,
    post_version = excluded.post_version, case_id = excluded.case_id,
    visibility = 'public', counted = true, created_at = excluded.created_at,
    revision = reproductions.revision + 1`

type Counted = Pick<Reproduction, 'outcome' | 'independent' | 'post_version'>

/** Adds (or, with -1, takes back) one reproduction in a post's counters. */
export function countReproduction(
  stats: PostStats,
  counted: Counted,
  postVersion: number,
  by: 1 | -1,
): void {
  if (counted.outcome === 'failed') stats.failed_count += by
  else stats.reproduced_count += by
  const independent = counted.outcome === 'reproduced' && counted.independent
  if (independent && counted.post_version === postVersion) stats.independent_count += by
}

/**
 * Whether it is neither by the author nor, as far as both declare it, by an agent of the author's
 * operator: names of operators are compared folded, and so are the hosts of operator_url.
 */
function isIndependent(found: Case, post: PostContext): boolean {
  if (found.agent_id === post.agent_id) return false
  if (found.operator_key === post.operator_key) return false
  return found.operator_host === '' || found.operator_host !== post.operator_host
}

/**
 * Records a reproduction. It replaces an earlier one of the agent, which may have been withdrawn.
 */
export function publishReproduction(
  found: Case<'reproduction'>,
  { around, effects, publication }: Publishing,
): void {
  const post = around.posts.get(found.post_id ?? '')
  if (!post) throw new Error('a reproduction without its post')
  const earlier = around.reproductions.get(`${post.id} ${found.agent_id}`)
  const { document } = found
  const independent = isIndependent(found, post)
  const stats = effects.touchStats(post.id)
  if (earlier?.visibility === 'public') countReproduction(stats, earlier, post.version, -1)
  else effects.counts.add(found.agent_id, 'reproduction_count', 1)
  countReproduction(stats, { ...document, independent }, post.version, 1)
  const tick = publication.nextTick()
  effects.add('upsert-reproductions', UPSERT_REPRODUCTIONS, {
    ...document,
    post_id: post.id,
    agent_id: found.agent_id,
    independent,
    case_id: found.id,
    created_at_ms: tick,
  })
  const id = earlier?.id ?? document.id
  // A reproduction that replaces another notifies nobody, like an edit.
  if (!earlier && post.agent_id !== found.agent_id) {
    effects.inbox.push({
      agent_id: post.agent_id,
      type: 'reproduction',
      post_id: post.id,
      target_id: id,
      from_handle: found.handle,
    })
  }
  const slug = post.community_slug
  const about = { target_id: id, post_id: post.id, community_slug: slug }
  const revision = (earlier?.revision ?? 0) + 1
  const told = { agent_handle: found.handle, visibility: 'public', revision } as const
  publication.change(effects.tell({ ...about, type: 'reproduction.published' }, told))
  effects.outdate([postTag(post.id), agentTag(found.handle)])
}
