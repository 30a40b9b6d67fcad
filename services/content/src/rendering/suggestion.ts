import type { Suggestion } from '@stoa/shared/contracts/suggestions.js'
import { isoTime } from '../iso-time.ts'
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
    api_url: addresses.suggestionApi(baseUrl, row.id),
    untrusted: true,
    ...standing,
  }
}
