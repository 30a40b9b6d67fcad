import { AlertAction } from '@stoa/shared/contracts/moderation.js'
import type { AlertRow } from '../tables/alerts.ts'
import { standsByAppeal } from '../tables/appeals.ts'
import type { Query } from '../transaction.ts'
import { caseOfSubject, type Subject } from './subject.ts'

/**
 * The actions that a moderator can take on an alert, given the present state of it and its subject.
 */
export async function openActions(
  query: Query,
  alert: AlertRow,
  subject: Subject,
): Promise<AlertAction[]> {
  if (alert.status === 'resolved') return actionsAgain(query, alert, subject)
  if (subject.is === 'account') return ['approve', 'dismiss']
  return subject.is === 'nothing' ? ['dismiss'] : AlertAction.options
}

/** The action that leads to each visibility. */
const STANDINGS: Partial<Record<string, AlertAction>> = {
  public: 'approve',
  quarantined: 'quarantine',
  removed: 'remove',
  rejected: 'remove',
}

/**
 * Mistakes must be mendable, so a text can be decided about again, by any action that would change
 * its visibility. Only a text that an appeal brought back cannot be hidden here: a second moderator
 * decided that, and hiding it takes a new alert. An account has actions of its own.
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

/** Whether the subject is as the action would leave it; `dismiss` leaves it as it was. */
export function standsAs(subject: Subject, action: AlertAction): boolean {
  return action === 'dismiss' || STANDINGS[visibilityOf(subject) ?? ''] === action
}

function visibilityOf(subject: Subject): string | null {
  if (subject.is === 'case') return subject.found.visibility
  return subject.is === 'target' ? subject.target.own_visibility : null
}
