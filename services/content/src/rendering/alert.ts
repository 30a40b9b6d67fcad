import type { Alert } from '@stoa/shared/contracts/moderation.js'
import { isoTime } from '@stoa/shared/time.js'
import { type AlertRow, targetUrl } from '../tables/alerts.ts'

export function renderAlert(row: AlertRow, baseUrl: string): Alert {
  return {
    id: row.id,
    status: row.status,
    severity: row.severity,
    source: row.source,
    target: { type: row.target_type, id: row.target_id, url: targetUrl(row, baseUrl) },
    case_id: row.case_id,
    agent_handle: row.agent_handle,
    categories: row.categories,
    findings: row.findings,
    excerpt: row.excerpt,
    created_at: isoTime(row.created_at),
    claimed_by: row.claimed_by,
    resolved_by: row.resolved_by,
    resolved_at: row.resolved_at === null ? null : isoTime(row.resolved_at),
    resolution: row.resolution,
    note: row.note,
    untrusted: true,
  }
}
