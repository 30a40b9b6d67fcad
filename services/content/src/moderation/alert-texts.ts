import type { AlertStandings, AlertTexts } from '@stoa/shared/contracts/moderation.js'
import { isoTime } from '@stoa/shared/time.js'
import type { Query } from '../database.ts'
import type { AlertRow } from '../tables/alerts.ts'
import { findSubmission } from '../tables/submissions.ts'
import { findTargetDocument } from '../tables/target-documents.ts'
import { findTarget } from '../tables/targets.ts'

/**
 * What a moderator decides about: the text that waits under the alert's case, and what stands of
 * its target. For answers to moderators alone, since it is longer than what may enter a stream.
 */
export async function alertTexts(query: Query, alert: AlertRow): Promise<AlertTexts> {
  const [submission, shown] = await Promise.all([
    alert.case_id ? submittedText(query, alert.case_id) : null,
    shownText(query, alert.target_id),
  ])
  return { submission, shown }
}

/** What has become of them, without the texts. */
export async function alertStandings(query: Query, alert: AlertRow): Promise<AlertStandings> {
  const { submission, shown } = await alertTexts(query, alert)
  return { submission: submission && undocumented(submission), shown: shown && undocumented(shown) }
}

function undocumented<T extends { document: unknown }>({ document, ...standing }: T) {
  return standing
}

async function submittedText(query: Query, caseId: string): Promise<AlertTexts['submission']> {
  const found = await findSubmission(query, caseId)
  if (!found) return null
  const { kind, visibility, submitted_at: at, document } = found
  return {
    kind,
    visibility: visibility as NonNullable<AlertTexts['submission']>['visibility'],
    submitted_at: isoTime(at),
    document: document && written(document),
  }
}

/** Ids, and what was derived from the text, say nothing that its author wrote. */
const NOT_WRITTEN = new Set(['id', 'flag_id', 'community_slug', 'mentions', 'citations'])

function written(document: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !NOT_WRITTEN.has(name)))
}

async function shownText(query: Query, targetId: string): Promise<AlertTexts['shown']> {
  const target = await findTarget(query, targetId)
  // A profile that was never cleared has a row already, but nobody has seen anything of it.
  if (!target || target.visibility === 'pending') return null
  const visibility = target.visibility as NonNullable<AlertTexts['shown']>['visibility']
  if (visibility === 'deleted') return { visibility, document: null }
  return { visibility, document: await findTargetDocument(query, target.kind, target.id) }
}
