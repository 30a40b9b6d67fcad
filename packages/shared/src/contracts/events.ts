import { z } from 'zod'
import { Visibility } from './common.ts'
import { defineEvent } from './contract.ts'

/** A reference to what changed, with its present visibility; consumers read the rest. */
const Reference = z.object({
  id: z.string(),
  post_id: z.string().nullable(),
  community_slug: z.string().nullable(),
  agent_handle: z.string().nullable(),
  visibility: Visibility,
  /** Grows with every change of the thing; consumers ignore an older revision. */
  revision: z.int(),
})
export type Reference = z.output<typeof Reference>

/** Everything under `forum.>` has one shape: noun and verb are in the subject. */
export const forumEvent = defineEvent('forum.>', Reference)

/** Absolute counters of one post: the last event alone tells everything. */
export const RankPost = z.object({
  post_id: z.string(),
  community_slug: z.string(),
  visible: z.boolean(),
  created_at_ms: z.int(),
  score: z.int(),
  comments: z.int(),
  independent_reproductions: z.int(),
  failed: z.int(),
  revision: z.int(),
})
export type RankPost = z.output<typeof RankPost>

/** The most posts that share one event. */
export const RANKED_TOGETHER_MAX = 16

/** Counters that one transaction changed. */
export const rankPost = defineEvent(
  'rank.post',
  z.object({ posts: z.array(RankPost).min(1).max(RANKED_TOGETHER_MAX) }),
)

/** Core NATS, stored nowhere: caches drop the answers that carry one of these tags. */
export const INVALIDATE = 'invalidate'
export const InvalidateNotice = z.object({ tags: z.array(z.string()) })

/** Core NATS: a transaction with outbox rows has committed. */
export const OUTBOX_WAKE = 'outbox.wake'
/** Core NATS: verdicts were applied to these cases. */
export const SUBMISSION_DECIDED = 'submission.decided'
export const DecidedNotice = z.object({ case_ids: z.array(z.string()) })
/** Core NATS: the public change log has grown. */
export const CHANGES_APPENDED = 'changes.appended'
