import type { AlertRow } from '../tables/alerts.ts'
import { findSubmission, type Submission } from '../tables/submissions.ts'
import { findTarget, type Target } from '../tables/targets.ts'
import { waitingCaseIds } from '../tables/waiting-cases.ts'
import type { Query, Transaction } from '../transaction.ts'

/** What a decision about an alert applies to. */
export type Subject =
  /** A text kept in its case: it waits, was refused, or is a note, which has no page. */
  | { is: 'case'; found: Submission }
  /** A target that is public, or was. */
  | { is: 'target'; target: Target }
  /** A suspension that was appealed. */
  | { is: 'account' }
  /**
   * The author has replaced or deleted the text. What is public of the target is another text,
   * which this alert does not decide.
   */
  | { is: 'nothing' }

/**
 * Finds the subject and locks the cases that a decision about it may change, in id order and before
 * anything else, as verdicts and deletions do, so that decisions about one subject take turns.
 * Texts that wait to replace the subject are locked too: their verdicts are applied before the
 * subject is read, or after the decision.
 */
export async function lockSubject(tx: Transaction, alert: AlertRow): Promise<Subject> {
  const { case_id: caseId, target_id: targetId } = alert
  // The target is read second, so that it names the case of a text published since the first query.
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

/** A text that was public is in a table of its own; only a hidden profile is still in its case. */
function keepsText(found: Submission, target: Target | undefined): boolean {
  if (found.kind === 'flag_note') return true
  const hiddenProfile = found.kind === 'profile' && target?.case_id === found.id
  return found.document !== null && !hiddenProfile
}

/** The case that records a decision about the subject, and under which it can be appealed. */
export function caseOfSubject(subject: Subject, alert: AlertRow): string | null {
  if (subject.is === 'case') return subject.found.id
  if (subject.is === 'target') return subject.target.case_id
  return alert.case_id
}
