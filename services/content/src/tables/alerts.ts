import type { Alert } from '@stoa/shared/contracts/moderation.js'
import { alertRaised } from '@stoa/shared/contracts/moderation.js'
import type { FullFinding } from '@stoa/shared/contracts/scans.js'
import { kindOfId, newId } from '@stoa/shared/ids.js'
import { apiAddress } from '../rendering/addresses.ts'
import type { Batch } from '../verdicts/batch.ts'
import { excerptOf } from '../verdicts/excerpt.ts'
import { outboxEvent } from './outbox.ts'
import type { Documents } from './submissions.ts'

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
  found: {
    id: string
    target_id: string
    handle: string
    document: Documents[keyof Documents] | null
  }
  decision: { categories: string[]; findings: FullFinding[] }
}

const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const

function worstOf(findings: FullFinding[]): Alert['severity'] {
  const ranks = findings.map((finding) => SEVERITIES.indexOf(finding.severity))
  return SEVERITIES[Math.max(0, ...ranks)] ?? 'low'
}

/** Records an alert and the event that brings it to moderators, with the case that caused it. */
export function raiseAlert(batch: Batch, cause: AlertCause, baseUrl: string): void {
  const { found, decision } = cause
  const alert: Alert = {
    id: newId('alert'),
    status: 'open',
    severity: worstOf(decision.findings),
    source: cause.source,
    target: {
      type: kindOfId(found.target_id) ?? 'agent',
      id: found.target_id,
      url: apiAddress(baseUrl, found.target_id),
    },
    case_id: found.id,
    agent_handle: found.handle,
    categories: decision.categories,
    findings: decision.findings,
    excerpt: excerptOf(found.document, decision.findings),
    created_at: new Date().toISOString(),
    claimed_by: null,
    resolved_by: null,
    resolved_at: null,
    resolution: null,
    note: null,
    untrusted: true,
  }
  batch.add('insert-alerts', INSERT_ALERTS, {
    ...alert,
    target_type: alert.target.type,
    target_id: alert.target.id,
  })
  batch.events.push(outboxEvent(alertRaised, alert.id, { alert }))
}
