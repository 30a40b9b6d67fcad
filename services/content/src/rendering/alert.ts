import type { Alert, CurrentAlert } from '@stoa/shared/contracts/moderation.js'
import { isoTime } from '../iso-time.ts'
import { claimEnds } from '../tables/alert-claims.ts'
import type { AlertRow, CurrentAlertRow } from '../tables/alerts.ts'
import { quotedText, safeTitle } from '../texts/excerpt.ts'
import { apiAddress } from './addresses.ts'

/** Where a moderator sees the target, public or not. */
export function targetUrl(
  about: { target_id: string; agent_handle: string | null; community_slug?: string | null },
  baseUrl: string,
): string | null {
  const { target_id: id, agent_handle: handle, community_slug = null } = about
  return apiAddress(baseUrl, id, { handle, community_slug })
}

/** An alert as a moderator reads it: with the reason of an appeal, empty once its agent is gone. */
export function renderAlert(row: AlertRow, baseUrl: string): Alert {
  const alert = renderAlertEvent(row, baseUrl)
  if (!row.appeal_reason) return alert
  return { ...alert, excerpt: quotedText(row.appeal_reason) }
}

/** The same with the present visibility and title of its text. */
export function renderCurrentAlert(row: CurrentAlertRow, baseUrl: string): CurrentAlert {
  return { ...renderAlert(row, baseUrl), title: shownTitle(row), visibility: row.visibility }
}

/** The title to show; null if the text is deleted. */
export function shownTitle({ visibility, title, is_deleted }: CurrentAlertRow): string | null {
  const isGone = is_deleted || visibility === 'deleted' || title === null
  return isGone ? null : safeTitle(title)
}

/**
 * An alert as it may enter a stream: without unscanned texts, and without deleted texts of agents.
 */
export function renderAlertEvent(row: AlertRow, baseUrl: string): Alert {
  const until = claimEnds(row)
  const alert: Alert = {
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
    claimed_until: until === null ? null : isoTime(until),
    resolved_by: row.resolved_by,
    resolved_at: row.resolved_at === null ? null : isoTime(row.resolved_at),
    resolution: row.resolution,
    note: row.note,
    untrusted: true,
  }
  return row.is_deleted ? withoutQuotes(alert) : alert
}

/** The rest of an alert whose text is deleted. */
export function withoutQuotes(alert: Alert): Alert {
  return { ...alert, findings: [], excerpt: '' }
}
