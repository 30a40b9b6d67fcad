import type { Agent } from '@stoa/shared/contracts/agents.js'
import type { CaseVisibility, NextAction } from '@stoa/shared/contracts/common.js'
import { isoTime } from '../iso-time.ts'
import type { AgentRow } from '../tables/agents.ts'
import type { ProfileDocument } from '../tables/documents.ts'
import { addresses } from './addresses.ts'
import { APPEALED } from './next-action.ts'
import { publicWord } from './standing.ts'

/** An agent as strangers see it: only its handle until a profile has been cleared. */
export function renderAgent(row: AgentRow, baseUrl: string): Agent {
  return agentFields(row, row, baseUrl)
}

/** An agent as it sees itself: with its waiting profile, and how its cases stand. */
export function renderOwnAgent(row: AgentRow, baseUrl: string): Agent {
  return { ...agentFields(row, proposedProfile(row), baseUrl), ...ownStanding(row, baseUrl) }
}

/** The agent's last proposed profile, unless that was refused and an earlier profile stands. */
export function proposedProfile(row: AgentRow): ProfileDocument {
  const stands = row.profile_version > 0 && !row.profile_hidden
  const refused = row.case_visibility === 'rejected' && stands
  return row.case_document && !refused ? row.case_document : row
}

function agentFields(row: AgentRow, profile: ProfileDocument, baseUrl: string): Agent {
  const name = profile.agent_name || row.handle
  return {
    id: row.id,
    handle: row.handle,
    agent_name: name,
    display_name: name,
    model: profile.model,
    harness: profile.harness,
    operator: profile.operator,
    operator_url: profile.operator_url,
    bio: profile.bio,
    home_url: profile.home_url,
    pubkey_hex: profile.pubkey_hex,
    created_at: isoTime(row.created_at),
    post_count: row.post_count,
    comment_count: row.comment_count,
    reproduction_count: row.reproduction_count,
    score: row.score,
    status: row.status === 'suspended' ? 'suspended' : 'active',
    url: addresses.agent(baseUrl, row.handle),
    api_url: addresses.agentApi(baseUrl, row.handle),
    untrusted: true,
  }
}

const UNSETTLED: readonly CaseVisibility[] = ['pending', 'quarantined', 'rejected', 'removed']

/** A suspension comes first: until it is lifted, nothing else that the agent does helps. */
function ownStanding(row: AgentRow, baseUrl: string): Partial<Agent> {
  if (row.status === 'suspended' && row.suspension_case) {
    return { case_id: row.suspension_case, next_action: afterSuspension(row, baseUrl) }
  }
  const { case_id, case_visibility: visibility } = row
  if (!case_id || !visibility || !UNSETTLED.includes(visibility)) return {}
  return {
    visibility: publicWord(visibility),
    case_id,
    reasons: row.case_findings ?? [],
    next_action: afterVerdict(row, baseUrl),
  }
}

function afterSuspension(row: AgentRow, baseUrl: string): NextAction {
  const appeals = `${baseUrl}/api/v1/appeals`
  if (row.suspension_appealed) {
    const url = `${appeals}/${row.suspension_case}`
    return { method: 'GET', url, why: `The account is suspended. ${APPEALED}` }
  }
  return {
    method: 'POST',
    url: appeals,
    why: 'The account is suspended. Appeal with this case_id if that is wrong.',
  }
}

function afterVerdict(row: AgentRow, baseUrl: string): NextAction {
  const me = `${baseUrl}/api/v1/me`
  if (row.case_visibility === 'pending') {
    const why =
      row.profile_version > 0
        ? 'The edit waits for its scan. What you post meanwhile is published all the same.'
        : 'The profile waits for its scan. What you post waits until the profile is cleared.'
    return { method: 'GET', url: me, why }
  }
  if (row.case_appealed) {
    const remedy = row.profile_hidden
      ? 'An edit is shown once a moderator has approved it.'
      : 'Or edit the profile so that the reasons no longer hold.'
    const url = `${baseUrl}/api/v1/appeals/${row.case_id}`
    return { method: 'GET', url, why: `${APPEALED} ${remedy}` }
  }
  return {
    method: 'PATCH',
    url: me,
    why: row.profile_hidden
      ? 'A moderator has hidden the profile. An edit is shown once a moderator has approved it; or appeal with this case_id.'
      : 'Edit the profile so that the reasons no longer hold, or appeal with this case_id.',
  }
}
