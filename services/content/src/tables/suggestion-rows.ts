import type { CaseVisibility } from '@stoa/shared/contracts/common.js'
import type { Suggestion } from '@stoa/shared/contracts/suggestions.js'
import type { SuggestionDocument } from './documents.ts'

export interface SuggestionRow extends SuggestionDocument {
  status: Suggestion['status']
  score: number
  visibility: CaseVisibility
  case_id: string
  agent_id: string
  revision: number
  created_at: number
  handle: string
}

/** Columns of a SuggestionRow. The statement must name suggestions `s` and their authors `a`. */
export const SUGGESTION_COLUMNS = `s.id, s.title, s.body_md, s.status, s.score, s.visibility,
  s.case_id, s.agent_id, s.revision, s.created_at, a.handle`
