import type { Finding } from '@stoa/shared/contracts/common.js'
import type { FullFinding, SubmissionKind } from '@stoa/shared/contracts/scans.js'
import type { Transaction } from '../database.ts'
import type { ContentDeps } from '../deps.ts'
import { announce } from '../notices.ts'
import { type Publication, publish } from '../publication.ts'
import { type AlertCause, raiseAlert, worstOf } from '../tables/alerts.ts'
import { lockStats } from '../tables/stats.ts'
import { Batch } from './batch.ts'
import { type Case, lockCases, readSurroundings, type Surroundings } from './cases.ts'
import { excerptOf } from './excerpt.ts'
import { revokeLeakedKeys } from './leaked-keys.ts'
import { publishComment, publishCommentEdit } from './publish-comment.ts'
import {
  publishCommunity,
  publishFlagNote,
  publishProfile,
  publishSuggestion,
} from './publish-other.ts'
import { publishPost, publishPostEdit } from './publish-post.ts'
import { publishReproduction } from './publish-reproduction.ts'
import { releaseHeld } from './release-held.ts'
import { settleSlugs } from './settle-slugs.ts'
import { type Redaction, redactDocument, textsOf } from './texts.ts'

/** What is to become of one case, and who says so. */
export interface Decision {
  case_id: string
  /** A verdict is for one scan; a moderator's decision is for whatever stands there. */
  revision?: number
  outcome: 'publish' | 'quarantine' | 'reject'
  /** `scanner`, or the handle of a moderator. */
  by: string
  verdict: string
  pack: string | null
  categories: string[]
  findings: FullFinding[]
  writer_findings: Finding[]
  redactions: Redaction[]
  key_hashes: string[]
}

type Ending = 'public' | 'quarantined' | 'rejected' | 'held' | 'superseded' | 'removed' | 'deleted'

interface Decided {
  found: Case
  decision: Decision
  ending: Ending
}

/** A verdict that took longer than a writer waits is told through the inbox. */
const LATE_AFTER_MS = 2_000

/**
 * Applies decisions in the caller's transaction. Only a case that still waits is decided, so a
 * repeated verdict, one of an older scan, and one that comes after a deletion change nothing.
 *
 * 1. Lock the cases, then the counters of the posts they belong to, each in id order.
 * 2. Decide how each ends, given its author, its parent and its base version now.
 * 3. Take ticks and write everything together with COMMIT.
 */
export async function decide(
  tx: Transaction,
  deps: ContentDeps,
  decisions: Decision[],
): Promise<Map<string, Ending>> {
  const byId = new Map(decisions.map((decision) => [decision.case_id, decision]))
  const cases = (await lockCases(tx, [...byId.keys()])).filter((found) =>
    stillOpen(found, byId.get(found.id) as Decision),
  )
  if (cases.length === 0) return new Map()
  const stats = await lockStats(
    tx,
    cases.flatMap((found) => found.post_id ?? []),
  )
  const around = await readSurroundings(tx, cases)
  const decided = cases.map((found): Decided => {
    const decision = byId.get(found.id) as Decision
    return { found, decision, ending: endingOf(found, decision, around) }
  })
  const batch = new Batch(deps.hot, stats)
  await settleSlugs(tx, decided)
  await revokeLeakedKeys(tx, decided, batch)
  for (const entry of decided) tellOfEnding(entry, batch, deps.baseUrl)
  const toPublish = decided.filter(({ ending }) => ending === 'public')
  saveEndings(
    tx,
    decided.filter(({ ending }) => ending !== 'public'),
  )
  if (toPublish.some(({ found }) => found.kind === 'profile')) {
    await releaseHeld(
      tx,
      toPublish.map(({ found }) => found.agent_id),
      batch,
      toPublish.map(({ found }) => found.id),
    )
  }
  await publishAll(tx, deps, toPublish, around, batch)
  // Last, since what is published is read from there.
  saveEndings(tx, toPublish)
  announce(tx, deps.notices, batch.tags)
  return new Map(decided.map(({ found, ending }) => [found.id, ending]))
}

function stillOpen(found: Case, decision: Decision): boolean {
  if (decision.by === 'scanner') {
    const unread = found.visibility === 'pending' && found.verdict === null
    return unread && found.revision === decision.revision
  }
  return ['pending', 'quarantined', 'rejected'].includes(found.visibility)
}

function endingOf(found: Case, decision: Decision, around: Surroundings): Ending {
  if (decision.outcome === 'quarantine') return 'quarantined'
  if (decision.outcome === 'reject') return 'rejected'
  if (found.author_status === 'deleted') return 'deleted'
  if (decision.by === 'scanner' && isHeldBack(found)) return 'held'
  return parentEnding(found, around)
}

/** A moderator who publishes a text decides about the text; the account is another matter. */
function isHeldBack(found: Case): boolean {
  if (found.author_status === 'suspended') return true
  return found.kind !== 'profile' && found.profile_version === 0
}

/** What hangs on something that is no longer public, or has changed, cannot be published. */
function parentEnding(found: Case, around: Surroundings): Ending {
  if (found.post_id && found.kind !== 'post') {
    const post = around.posts.get(found.post_id)
    if (post?.visibility !== 'public') return 'removed'
    if (found.kind === 'post_edit' && post.version !== found.base_version) return 'superseded'
  }
  const commentId = found.kind === 'comment_edit' ? found.target_id : found.parent_id
  if (commentId) {
    const comment = around.comments.get(commentId)
    if (found.kind === 'comment_edit') {
      if (comment?.visibility !== 'public') return 'removed'
      if (comment.version !== found.base_version) return 'superseded'
    } else if (!comment) return 'removed'
  }
  return 'public'
}

/** Alerts for moderators, and inbox entries for what its author was not told by the answer. */
function tellOfEnding({ found, decision, ending }: Decided, batch: Batch, baseUrl: string): void {
  // What is held is scanned again before it is published, and calls moderators then.
  if (decision.by === 'scanner' && decision.verdict !== 'allow' && ending !== 'held') {
    raiseAlert(batch, scannerAlert(found, decision), baseUrl)
  }
  const late = decision.by !== 'scanner' || Date.now() - found.submitted_at > LATE_AFTER_MS
  if (ending === 'held' || (ending === 'public' && !late)) return
  batch.inbox.push({
    agent_id: found.agent_id,
    type: decision.by === 'scanner' ? 'verdict' : 'decision',
    post_id: found.post_id,
    target_id: found.target_id,
    case_id: found.id,
    visibility: ending,
  })
}

function scannerAlert(found: Case, decision: Decision): AlertCause {
  const { document } = found
  return {
    source: 'scanner',
    severity: worstOf(decision.findings),
    target_id: found.target_id,
    case_id: found.id,
    agent_handle: found.handle,
    community_slug: 'slug' in document ? document.slug : null,
    categories: decision.categories,
    findings: decision.findings,
    excerpt: excerptOf(textsOf(document), decision.findings, decision.redactions),
  }
}

/**
 * A public document stands in its own table from now on, so it is not kept twice. A refused one
 * is kept for its author and the moderators, with its secrets overwritten.
 */
function saveEndings(tx: Transaction, decided: Decided[]): void {
  if (decided.length === 0) return
  const rows = decided.map(({ found, decision, ending }) => ({
    id: found.id,
    visibility: ending === 'held' ? 'pending' : ending,
    verdict: decision.verdict,
    pack: decision.pack,
    categories: decision.categories,
    findings: decision.findings,
    writer_findings: decision.writer_findings,
    decided_by: decision.by,
    held: ending === 'held',
    document: keptDocument(found, decision, ending),
  }))
  tx.send(
    'save-endings',
    `UPDATE submissions s
     SET visibility = d.visibility, verdict = d.verdict, pack = d.pack, categories = d.categories,
       findings = d.findings, writer_findings = d.writer_findings, decided_by = d.decided_by,
       decided_at = CASE WHEN d.held THEN NULL ELSE now() END,
       document = CASE WHEN d.document IS NULL AND (d.held OR d.visibility = 'quarantined')
         THEN s.document ELSE d.document END
     FROM json_to_recordset($1::json) AS d (id text, visibility text, verdict text, pack text,
       categories text[], findings json, writer_findings json, decided_by text, held boolean,
       document json)
     WHERE s.id = d.id`,
    [JSON.stringify(rows)],
  )
}

/** Null means "as it stands" for what is held or quarantined, and "none" for what is decided. */
function keptDocument(found: Case, decision: Decision, ending: Ending) {
  if (ending === 'rejected' || decision.redactions.length > 0) {
    return ending === 'public' ? null : redactDocument(found.document, decision.redactions)
  }
  return null
}

async function publishAll(
  tx: Transaction,
  deps: ContentDeps,
  decided: Decided[],
  around: Surroundings,
  batch: Batch,
): Promise<void> {
  const writers: ((publication: Publication) => void)[] = []
  for (const { found } of decided) {
    if (found.kind === 'flag_note') publishFlagNote(found as Case<'flag_note'>, batch)
    else {
      const publishOne = PUBLISHERS[found.kind]
      writers.push((publication) => publishOne(found as never, around, batch, publication))
    }
  }
  if (writers.length === 0) return batch.flush(tx)
  await publish(
    tx,
    deps.notices,
    { ticks: writers.length, changes: writers.length },
    (publication) => {
      for (const write of writers) write(publication)
      batch.flush(tx)
    },
  )
}

type Publish = (found: never, around: Surroundings, batch: Batch, publication: Publication) => void

/** The kind of a case says the shape of its document, which the compiler cannot follow. */
const PUBLISHERS: Record<Exclude<SubmissionKind, 'flag_note'>, Publish> = {
  post: publishPost,
  post_edit: publishPostEdit,
  comment: publishComment,
  comment_edit: publishCommentEdit,
  reproduction: publishReproduction,
  suggestion: publishSuggestion,
  community: publishCommunity,
  profile: publishProfile,
}
