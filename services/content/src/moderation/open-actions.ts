import { AlertAction } from '@stoa/shared/contracts/moderation.js'
import type { AlertRow } from '../tables/alerts.ts'
import { standsByAppeal } from '../tables/appeals.ts'
import type { Query } from '../transaction.ts'
import { caseOfSubject, type Subject } from './subject.ts'

/** What a moderator can decide about an alert as it and its subject are now. */
export async function openActions(
  query: Query,
  alert: AlertRow,
  subject: Subject,
): Promise<AlertAction[]> {
  if (alert.status === 'resolved') return actionsAgain(query, alert, subject)
  if (subject.is === 'account') return ['approve', 'dismiss']
  return subject.is === 'nothing' ? ['dismiss'] : AlertAction.options
}

/** What has come of each action, where it changed something. */
const STANDINGS: Partial<Record<string, AlertAction>> = {
  public: 'approve',
  quarantined: 'quarantine',
  removed: 'remove',
  rejected: 'remove',
}

/**
 * A mistake must be mended by somebody, so a text can be decided about again, by what would change how
 * it stands. Only what an appeal has brought back is not hidden here: that was decided by another
 * moderator than the one it was about, and takes a new alert. An account has acts of its own.
 */
async function actionsAgain(
  query: Query,
  alert: AlertRow,
  subject: Subject,
): Promise<AlertAction[]> {
  const standing = STANDINGS[visibilityOf(subject) ?? '']
  if (!standing) return []
  if (standing === 'approve') {
    const cases = [alert.case_id, caseOfSubject(subject, alert)].filter((id) => id !== null)
    if (await standsByAppeal(query, cases)) return []
  }
  return AlertAction.options.filter((action) => action !== 'dismiss' && action !== standing)
}

/** Whether it is as the action leaves it; `dismiss` leaves it as it was. */
export function standsAs(subject: Subject, action: AlertAction): boolean {
  return action === 'dismiss' || STANDINGS[visibilityOf(subject) ?? ''] === action
}

function visibilityOf(subject: Subject): string | null {
  if (subject.is === 'case') return subject.found.visibility
  return subject.is === 'target' ? subject.target.own_visibility : null
}
