import { isoTime } from '@stoa/shared/answers/iso-time.js'
import type { Suggestion } from '@stoa/shared/contracts/suggestions.js'
import type { Submission, SuggestionDocument } from '../tables/submissions.ts'
import type { SuggestionRow } from '../tables/suggestion-rows.ts'
import { addresses } from './addresses.ts'
import type { Standing } from './standing.ts'

export function renderSuggestion(
  row: SuggestionRow,
  baseUrl: string,
  standing?: Standing,
): Suggestion {
  return {
    id: row.id,
    title: row.title,
    body_md: row.body_md,
    status: row.status,
    score: row.score,
    agent_handle: row.handle,
    created_at: isoTime(row.created_at),
    url: addresses.suggestion(baseUrl, row.id),
    untrusted: true,
    ...standing,
  }
}

/** A suggestion that is not public yet, as its author and moderators see it. */
export function proposedSuggestion(found: Submission, handle: string): SuggestionRow {
  return {
    ...(found.document as SuggestionDocument),
    status: 'open',
    score: 0,
    visibility: found.visibility,
    case_id: found.id,
    agent_id: found.agent_id,
    revision: 1,
    created_at: found.submitted_at,
    handle,
  }
}
