import type { CaseVisibility, Finding } from '@stoa/shared/contracts/common.js'
import type { FullFinding, SubmissionKind } from '@stoa/shared/contracts/scans.js'
import type { Verdict } from '@stoa/shared/contracts/verdicts.js'
import type { Query, Transaction } from '../transaction.ts'
import type { Documents } from './documents.ts'
import { isCaseAppealed } from './is-appealed.ts'
import { appendEvents } from './outbox.ts'
import { scanRequests } from './scan-requests.ts'

export interface NewSubmission<Kind extends SubmissionKind = SubmissionKind> {
  id: string
  kind: Kind
  target_id: string
  post_id: string | null
  parent_id?: string | null
  agent_id: string
  base_version?: number
  document: Documents[Kind]
}

export interface Submission {
  id: string
  kind: SubmissionKind
  target_id: string
  post_id: string | null
  parent_id: string | null
  agent_id: string
  revision: number
  base_version: number
  document: Documents[SubmissionKind] | null
  visibility: CaseVisibility
  verdict: Verdict | null
  pack: string | null
  categories: string[]
  findings: FullFinding[]
  writer_findings: Finding[]
  decided_by: string | null
  submitted_at: number
  decided_at: number | null
}

/** A submission with what its author may still do about it. */
export interface JudgedSubmission extends Submission {
  /**
   * Another text may replace this one: the case still holds its text, which no case does that was
   * public once, and nothing that it belongs to is hidden.
   */
  replaceable: boolean
  /** Its author has appealed the last decision. */
  appealed: boolean
}

/**
 * SQL: submission `s` became public, but its thing or that thing's post no longer is. A decision is
 * written to one case of a thing, not to the cases of its edits, comments or reproductions. A
 * waiting or refused text is gone if the author of its post has deleted the post.
 */
export const IS_GONE = `(s.visibility = 'public' AND (
    ${isHidden('posts', 'coalesce(s.post_id, s.target_id)')}
    OR s.kind IN ('comment', 'comment_edit') AND ${isHidden('comments', 's.target_id')}
    OR s.kind = 'reproduction' AND ${isHidden('reproductions', 's.target_id')}
    OR s.kind = 'community_edit' AND ${isHidden('communities', 's.target_id')})
  OR s.visibility IN ('pending', 'quarantined', 'rejected')
    AND (SELECT p.visibility FROM posts p WHERE p.id = s.post_id) = 'deleted')`

/** A scalar subquery, because for EXISTS the planner may first read the whole table. */
function isHidden(table: string, id: string): string {
  return `coalesce((SELECT t.visibility FROM ${table} t WHERE t.id = ${id}), 'public') <> 'public'`
}

/**
 * SQL: submission `s` was refused or is held, and the thing it would change or belong to is hidden.
 */
const IS_BELOW_HIDDEN = `(s.visibility IN ('quarantined', 'rejected') AND (
    ${isHidden('posts', 'coalesce(s.post_id, s.target_id)')}
    OR ${isHidden('comments', 's.target_id')} OR ${isHidden('reproductions', 's.target_id')}
    OR ${isHidden('communities', 's.target_id')}))`

/** SQL: the fields of a JudgedSubmission `s` beyond the columns of its table. */
export const JUDGED_COLUMNS = `s.document IS NOT NULL AND NOT ${IS_BELOW_HIDDEN} AS replaceable,
  ${isCaseAppealed('s')} AS appealed`

/**
 * SQL: the slug of the community that submission `s` became, stands in or, if it is free, proposes.
 */
export const COMMUNITY_SLUG = `CASE WHEN s.kind IN ('community', 'community_edit') THEN coalesce(
    (SELECT c.slug FROM communities c WHERE c.id = s.target_id),
    CASE WHEN (SELECT c.id FROM communities c WHERE c.slug = s.document ->> 'slug') IS NULL
      THEN s.document ->> 'slug' END)
  ELSE (SELECT p.community_slug FROM posts p WHERE p.id = coalesce(s.post_id, s.target_id)) END`

/** SQL: the present visibility of submission `s`. */
export const PRESENT_VISIBILITY = `CASE WHEN ${IS_GONE} THEN 'removed' ELSE s.visibility END`

/** Stores a proposed text and asks for its scan, both in the caller's transaction. */
export function submit<Kind extends SubmissionKind>(
  tx: Transaction,
  submission: NewSubmission<Kind>,
): void {
  insertSubmissions(tx, [submission])
  requestScans(tx, [submission])
}

/** The decision on a submission that is stored together with it. */
export interface EndingColumns {
  visibility: CaseVisibility
  verdict: Verdict
  pack: string | null
  categories: string[]
  findings: FullFinding[]
  writer_findings: Finding[]
  decided_by: string
  /** The text is allowed but waits, because its author may not publish yet. */
  held: boolean
  document: Documents[SubmissionKind] | null
}

/** Stores submissions, undecided or already decided. */
export function insertSubmissions(
  tx: Transaction,
  submissions: (NewSubmission | (Omit<NewSubmission, 'document'> & EndingColumns))[],
): void {
  if (submissions.length === 0) return
  tx.send(
    'insert-submissions',
    `INSERT INTO submissions
       (id, kind, target_id, post_id, parent_id, agent_id, base_version, document, submitted_at,
        requested_at, visibility, verdict, pack, categories, findings, writer_findings, decided_by,
        decided_at)
     SELECT id, kind, target_id, post_id, parent_id, agent_id, coalesce(base_version, 0), document,
       now(), now(), coalesce(visibility, 'pending'), verdict, pack, coalesce(categories, '{}'),
       coalesce(findings, '[]'), coalesce(writer_findings, '[]'), decided_by,
       CASE WHEN NOT held THEN now() END
     FROM json_to_recordset($1::json) AS s (id text, kind text, target_id text, post_id text,
       parent_id text, agent_id text, base_version int, document json, visibility text,
       verdict text, pack text, categories text[], findings json, writer_findings json,
       decided_by text, held boolean)`,
    [JSON.stringify(submissions)],
  )
}

/** Asks for the scans of submissions that were just stored. */
export function requestScans(tx: Transaction, submissions: NewSubmission[]): void {
  const wanted = submissions.map(({ id, kind }) => ({ id, kind, revision: 1 }))
  appendEvents(tx, scanRequests(wanted))
}

export async function findSubmission(
  query: Query,
  id: string,
): Promise<JudgedSubmission | undefined> {
  const [row] = await query.rows<JudgedSubmission>(
    'find-submission',
    `SELECT s.*, ${JUDGED_COLUMNS} FROM submissions s WHERE s.id = $1`,
    [id],
  )
  return row
}

/**
 * Whether a later edit was published over this text; `base_version` is the version it was sent for.
 */
export async function isOutdated(
  query: Query,
  { target_id, base_version }: Submission,
): Promise<boolean> {
  const rows = await query.rows(
    'later-edit',
    `SELECT 1 FROM submissions
     WHERE target_id = $1 AND base_version > $2 AND visibility = 'public' LIMIT 1`,
    [target_id, base_version],
  )
  return rows.length > 0
}

/**
 * Orders the submissions of one kind for one target so that the standing one comes first: the one
 * that waits, or else the newest that is not superseded. Ids are made before writers take turns, so
 * of two simultaneous submissions the lesser id may be the later one.
 */
export const STANDING_FIRST = `visibility IN ('pending', 'quarantined') DESC,
  visibility = 'superseded', id DESC`

/** The submission that stands for this target. */
export async function standingSubmissionOf(
  query: Query,
  targetId: string,
  kind: SubmissionKind,
): Promise<JudgedSubmission | undefined> {
  const [row] = await query.rows<JudgedSubmission>(
    'standing-submission',
    `SELECT s.*, ${JUDGED_COLUMNS} FROM submissions s WHERE target_id = $1 AND kind = $2
     ORDER BY ${STANDING_FIRST} LIMIT 1`,
    [targetId, kind],
  )
  return row
}

/** This submission or, if a newer proposal of its author superseded it, the one that stands now. */
export async function asTakenUp(
  query: Query,
  found: JudgedSubmission | undefined,
): Promise<JudgedSubmission | undefined> {
  if (found?.visibility !== 'superseded') return found
  return standingSubmissionOf(query, found.target_id, found.kind)
}
