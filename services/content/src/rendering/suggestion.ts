import type { Suggestion } from '@stoa/shared/contracts/suggestions.js'
import { isoTime } from '@stoa/shared/time.js'
import type { Submission, SuggestionDocument } from '../tables/submissions.ts'
import type { Standing } from '../writes/outcome.ts'
import { addresses } from './addresses.ts'

export interface SuggestionRow {
  id: string
  title: string
  body_md: string
  status: Suggestion['status']
  score: number
  visibility: string
  case_id: string
  agent_id: string
  revision: number
  created_at: number
  handle: string
}

/** Give it suggestions as `s` and their authors as `a`. */
export const SUGGESTION_COLUMNS = `s.id, s.title, s.body_md, s.status, s.score, s.visibility,
  s.case_id, s.agent_id, s.revision, s.created_at, a.handle`

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
