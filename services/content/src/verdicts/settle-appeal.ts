import { type AlertAction, alertResolved } from '@stoa/shared/contracts/moderation.js'
import { renderAlertEvent } from '../rendering/alert.ts'
import {
  type AlertRow,
  type LockedAlertRow,
  lockAlertsOfAppeals,
  saveResolution,
} from '../tables/alerts.ts'
import { decideAppeal, type OpenAppeal, withdrawAppeals } from '../tables/appeals.ts'
import { recordAct, recordAlertAct } from '../tables/audit.ts'
import { deliver } from '../tables/inbox.ts'
import { appendEvents, outboxEvent } from '../tables/outbox.ts'
import type { Transaction } from '../transaction.ts'

interface AppealDecision {
  appeal: OpenAppeal
  granted: boolean
  by: string
  note: string
}

/** Decides the appeal and tells its author. Awaits nothing, so that it may follow a publication. */
export function settleAppeal(tx: Transaction, { appeal, granted, by, note }: AppealDecision): void {
  const status = granted ? 'granted' : 'denied'
  decideAppeal(tx, { caseId: appeal.case_id, status, by, note })
  recordAct(tx, {
    moderator: by,
    action: `appeal.${status}`,
    target_id: appeal.case_id,
    agent_handle: appeal.agent_handle,
    note,
  })
  deliver(tx, [{ agent_id: appeal.agent_id, type: 'decision', case_id: appeal.case_id }])
}

interface Resolution {
  resolution: AlertAction
  by: string
  note: string
}

/**
 * Ends an alert that this transaction has locked: the row, the line in the log, and the event for
 * those who watch alerts. Awaits nothing, as above; returns the alert as it is now.
 */
export function endAlert(
  tx: Transaction,
  alert: LockedAlertRow,
  decision: Resolution,
  baseUrl: string,
): AlertRow {
  const { resolution, by, note } = decision
  recordAlertAct(tx, alert, { moderator: by, action: `alert.${resolution}`, note })
  return closeAlert(tx, alert, decision, baseUrl)
}

const WITHDRAWN = 'The author has replaced or deleted the text.'
const GONE = 'The author has deleted the account.'

/**
 * Ends an agent's open appeals about these cases, or about all cases, with their alerts, because
 * nothing is left to decide. This is not recorded as an act of a moderator. The caller has locked
 * the cases, as a decision about an appeal does before anything else.
 */
export async function endAppeals(
  tx: Transaction,
  { agentId, caseIds }: { agentId: string; caseIds: string[] | null },
  baseUrl: string,
): Promise<void> {
  // Alerts before appeals, in the order in which decisions lock them.
  closeForAuthor(tx, await lockAlertsOfAppeals(tx, agentId, caseIds), WITHDRAWN, baseUrl)
  withdrawAppeals(tx, agentId, caseIds)
}

/**
 * Ends alerts that this transaction has locked, because their texts have gone with their author.
 * This is not recorded as an act of a moderator either.
 */
export function endDeletedAlerts(
  tx: Transaction,
  alerts: readonly LockedAlertRow[],
  baseUrl: string,
): void {
  closeForAuthor(tx, alerts, GONE, baseUrl)
}

function closeForAuthor(
  tx: Transaction,
  alerts: readonly LockedAlertRow[],
  note: string,
  baseUrl: string,
): void {
  for (const alert of alerts) {
    const by = alert.agent_handle ?? ''
    closeAlert(tx, alert, { resolution: 'dismiss', by, note }, baseUrl)
  }
}

function closeAlert(
  tx: Transaction,
  alert: LockedAlertRow,
  { resolution, by, note }: Resolution,
  baseUrl: string,
): AlertRow {
  const row: AlertRow = {
    ...alert,
    status: 'resolved',
    resolved_by: by,
    resolved_at: alert.ends_at,
    resolution,
    note,
  }
  saveResolution(tx, row)
  const event = { alert: renderAlertEvent(row, baseUrl) }
  appendEvents(tx, [outboxEvent(alertResolved, row.id, event)])
  return row
}
