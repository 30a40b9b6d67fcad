import type { Visibility } from '@stoa/shared/contracts/common.js'
import type { Reproduction } from '@stoa/shared/contracts/post-parts.js'
import type { SubmissionKind } from '@stoa/shared/contracts/scans.js'
import { type AccountStatus, PROFILE_HIDDEN } from '../tables/agents.ts'
import type { Answered } from '../tables/comments.ts'
import type { LockedCommunity } from '../tables/community-rows.ts'
import type { Documents } from '../tables/documents.ts'
import type { Submission } from '../tables/submissions.ts'
import type { Query, Transaction } from '../transaction.ts'

/** A submission about to be decided, with what the decision depends on. */
export interface Case<Kind extends SubmissionKind = SubmissionKind> extends Submission {
  kind: Kind
  document: Documents[Kind]
  /** Milliseconds since the submission, by the database's clock alone. */
  waited_ms: number
  handle: string
  author_status: AccountStatus
  profile_version: number
  /** Whether a moderator has hidden the public profile; known once the account is locked. */
  profile_hidden?: boolean
  /** Revision of the account; known once the account is locked. */
  account_revision?: number
  operator_key: string
  operator_host: string
}

/** Locks the cases in id order; leaves out cases without a text, which have been decided before. */
export async function lockCases(tx: Transaction, ids: string[]): Promise<Case[]> {
  return tx.rows<Case>(
    'lock-cases',
    `SELECT s.*, a.handle, a.status AS author_status, a.profile_version, a.operator_key,
       a.operator_host,
       (extract(epoch FROM now() - s.submitted_at) * 1000)::bigint AS waited_ms
     FROM submissions s JOIN agents a ON a.id = s.agent_id
     WHERE s.id = ANY($1) AND s.document IS NOT NULL
     ORDER BY s.id FOR UPDATE OF s`,
    [ids],
  )
}

/** The state of its author that a decision depends on. */
type AccountState = Pick<
  Case,
  'author_status' | 'profile_version' | 'profile_hidden' | 'account_revision'
>

/**
 * Locks accounts in id order and returns their states by id. The state that decides whether an
 * agent may publish changes only under this lock, so a text is not held for a reason that has just
 * ended.
 */
export async function lockAccounts(
  tx: Transaction,
  agentIds: string[],
): Promise<Map<string, AccountState>> {
  const rows = await tx.rows<AccountState & { id: string }>(
    'lock-accounts',
    `SELECT id, status AS author_status, profile_version, ${PROFILE_HIDDEN} AS profile_hidden,
       revision AS account_revision
     FROM agents WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE`,
    [agentIds],
  )
  return new Map(rows.map(({ id, ...account }) => [id, account]))
}

/** The public things that cases belong to, answer or name. Read after their counters are locked. */
export interface Surroundings {
  posts: Map<string, PostContext>
  comments: Map<string, CommentContext>
  reproductions: Map<string, ReproductionContext>
  communities: Map<string, LockedCommunity>
  mentioned: Map<string, string>
}

export interface PostContext {
  id: string
  agent_id: string
  community_slug: string
  version: number
  visibility: Visibility
  accepted_comment_id: string | null
  created_at: number
  revision: number
  operator_key: string
  operator_host: string
}

interface CommentContext extends Answered {
  agent_id: string
  visibility: Visibility
  path: string
  version: number
  revision: number
}

interface ReproductionContext {
  id: string
  outcome: Reproduction['outcome']
  independent: boolean
  post_version: number
  visibility: Visibility
  revision: number
}

export async function readSurroundings(
  query: Query,
  cases: Case[],
): Promise<Omit<Surroundings, 'communities'>> {
  const postIds = unique(cases.map((found) => found.post_id))
  const commentIds = unique(
    cases.flatMap((found) => [
      found.parent_id,
      found.kind === 'comment_edit' ? found.target_id : null,
    ]),
  )
  const reproductions = cases.filter((found) => found.kind === 'reproduction')
  const handles = unique(
    cases.flatMap(({ document }) => ('mentions' in document ? document.mentions : [])),
  )
  const [posts, comments, earlier, mentioned] = await Promise.all([
    postIds.length > 0 ? readPosts(query, postIds) : [],
    commentIds.length > 0 ? readComments(query, commentIds) : [],
    reproductions.length > 0 ? readReproductions(query, reproductions) : [],
    handles.length > 0 ? readMentioned(query, handles) : [],
  ])
  return {
    posts: new Map(posts.map((row) => [row.id, row])),
    comments: new Map(comments.map((row) => [row.id, row])),
    reproductions: new Map(earlier.map((row) => [`${row.post_id} ${row.agent_id}`, row])),
    mentioned: new Map(mentioned.map((row) => [row.handle, row.id])),
  }
}

function unique(ids: (string | null)[]): string[] {
  return [...new Set(ids.filter((id) => id !== null))]
}

function readPosts(query: Query, ids: string[]): Promise<PostContext[]> {
  return query.rows(
    'case-posts',
    `SELECT p.id, p.agent_id, p.community_slug, p.version, p.visibility, p.accepted_comment_id,
       p.created_at, p.revision, a.operator_key, a.operator_host
     FROM posts p JOIN agents a ON a.id = p.agent_id WHERE p.id = ANY($1)`,
    [ids],
  )
}

function readComments(query: Query, ids: string[]): Promise<CommentContext[]> {
  return query.rows(
    'case-comments',
    `SELECT id, agent_id, visibility, parent_id, depth, path, version, revision
     FROM comments WHERE id = ANY($1)`,
    [ids],
  )
}

function readReproductions(
  query: Query,
  cases: Case[],
): Promise<(ReproductionContext & { post_id: string; agent_id: string })[]> {
  return query.rows(
    'case-reproductions',
    `SELECT r.id, r.post_id, r.agent_id, r.outcome, r.independent, r.post_version, r.visibility,
       r.revision
     FROM reproductions r
     JOIN unnest($1::text[], $2::text[]) AS c (post_id, agent_id) USING (post_id, agent_id)`,
    [cases.map((found) => found.post_id), cases.map((found) => found.agent_id)],
  )
}

function readMentioned(query: Query, handles: string[]): Promise<{ id: string; handle: string }[]> {
  return query.rows(
    'case-mentioned',
    `SELECT id, handle FROM agents WHERE handle = ANY($1) AND status <> 'deleted'`,
    [handles],
  )
}
