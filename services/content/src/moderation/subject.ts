import type { AlertRow } from '../tables/alerts.ts'
import { findSubmission, type Submission } from '../tables/submissions.ts'
import { findTarget, type Target } from '../tables/targets.ts'
import { waitingCaseIds } from '../tables/waiting-cases.ts'
import type { Query, Transaction } from '../transaction.ts'

/** What the decision about an alert is about. */
export type Subject =
  /** A text that is kept in its case: it waits or was refused, or is a note, which has no page. */
  | { is: 'case'; found: Submission }
  /** Something that is public, or was. */
  | { is: 'target'; target: Target }
  /** A suspension that was appealed. */
  | { is: 'account' }
  /**
   * Its author has replaced or deleted the text. What is public of the target is another text, which
   * nobody decides about here.
   */
  | { is: 'nothing' }

/**
 * Finds the subject and locks the cases that a decision about it may change, in id order and before
 * anything else, as verdicts and deletions do. Decisions about one subject so take turns. A text that
 * waits to replace it is locked too: its verdict is applied before the subject is looked at, or after
 * the decision.
 */
export async function lockSubject(tx: Transaction, alert: AlertRow): Promise<Subject> {
  const { case_id: caseId, target_id: targetId } = alert
  // The target comes second: it names the case of what was published since the first was asked.
  const [waiting, before] = await Promise.all([
    waitingCaseIds(tx, targetId),
    findTarget(tx, targetId),
  ])
  tx.send('lock-subject', 'SELECT 1 FROM submissions WHERE id = ANY($1) ORDER BY id FOR UPDATE', [
    [caseId, before?.case_id, ...waiting].filter(Boolean),
  ])
  return subjectOf(alert, await findTextAndTarget(tx, alert))
}

/** The text that an alert's case holds, and the thing that it is about, as they are now. */
export interface TextAndTarget {
  found: Submission | undefined
  target: Target | undefined
}

export async function findTextAndTarget(query: Query, alert: AlertRow): Promise<TextAndTarget> {
  const { case_id: caseId, target_id: targetId } = alert
  const [found, target] = await Promise.all([
    caseId ? findSubmission(query, caseId) : undefined,
    findTarget(query, targetId),
  ])
  return { found, target }
}

export function subjectOf(alert: AlertRow, { found, target }: TextAndTarget): Subject {
  if (alert.source === 'appeal' && !found) return { is: 'account' }
  if (found && isWithdrawn(found)) return { is: 'nothing' }
  if (found && keepsText(found, target)) return { is: 'case', found }
  return target ? { is: 'target', target } : { is: 'nothing' }
}

function isWithdrawn({ visibility }: Submission): boolean {
  return visibility === 'superseded' || visibility === 'deleted'
}

/** The text of what was public once stands in its own table, but for a profile that is hidden. */
function keepsText(found: Submission, target: Target | undefined): boolean {
  if (found.kind === 'flag_note') return true
  const hiddenProfile = found.kind === 'profile' && target?.case_id === found.id
  return found.document !== null && !hiddenProfile
}

/** The case that records a decision about it, by which that can be appealed. */
export function caseOfSubject(subject: Subject, alert: AlertRow): string | null {
  if (subject.is === 'case') return subject.found.id
  if (subject.is === 'target') return subject.target.case_id
  return alert.case_id
}
