import type { TargetType } from '@stoa/shared/contracts/common.js'
import { type Alert, alertRaised } from '@stoa/shared/contracts/moderation.js'
import type { FullFinding } from '@stoa/shared/contracts/scans.js'
import { Severity } from '@stoa/shared/contracts/verdicts.js'
import { kindOfId, newId } from '@stoa/shared/identifiers/ids.js'
import { isoTime } from '../iso-time.ts'
import { targetUrl } from '../rendering/alert.ts'
import type { Effects } from '../tables/effects.ts'
import { outboxEvent } from '../tables/outbox.ts'
import { safeFinding } from '../texts/excerpt.ts'
import type { Transaction } from '../transaction.ts'

const INSERT_ALERTS = `
  INSERT INTO alerts (id, severity, source, target_type, target_id, case_id, agent_handle,
    categories, findings, excerpt, created_at)
  SELECT id, severity, source, target_type, target_id, case_id, agent_handle, categories, findings,
    excerpt, created_at
  FROM json_to_recordset($1::json) AS a (id text, severity text, source text, target_type text,
    target_id text, case_id text, agent_handle text, categories text[], findings json,
    excerpt text, created_at timestamptz)
  ON CONFLICT DO NOTHING`

export interface AlertCause {
  source: Alert['source']
  severity: Alert['severity']
  target_id: string
  /** Needed if the id does not tell the type. */
  target_type?: TargetType
  case_id: string | null
  agent_handle: string | null
  community_slug?: string | null
  categories: string[]
  findings: FullFinding[]
  /** Made by `excerptOf`, only of scanned text. */
  excerpt: string
}

/** The worst severity, or `low` if there are none. */
export function worstOf(severities: Severity[]): Severity {
  return Severity.options.findLast((severity) => severities.includes(severity)) ?? 'low'
}

/**
 * Records an alert and the event that brings it to moderators; returns the alert's id. Its time is
 * the database's: a reader who resumes the stream of alerts asks for those after a certain alert,
 * whichever replica raised that.
 */
export async function raiseAlert(
  tx: Transaction,
  effects: Effects,
  cause: AlertCause,
  baseUrl: string,
): Promise<string> {
  const { target_id, target_type, community_slug, ...about } = cause
  const alert: Alert = {
    ...about,
    id: newId('alert'),
    status: 'open',
    target: {
      type: target_type ?? kindOfId(target_id) ?? 'agent',
      id: target_id,
      url: targetUrl(cause, baseUrl),
    },
    findings: cause.findings.map(safeFinding),
    created_at: isoTime(await effects.now(tx)),
    claimed_by: null,
    claimed_until: null,
    resolved_by: null,
    resolved_at: null,
    resolution: null,
    note: null,
    untrusted: true,
  }
  effects.add('insert-alerts', INSERT_ALERTS, {
    ...alert,
    target_type: alert.target.type,
    target_id: alert.target.id,
  })
  effects.events.push(outboxEvent(alertRaised, alert.id, { alert }))
  return alert.id
}
