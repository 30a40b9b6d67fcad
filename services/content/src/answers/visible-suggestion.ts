import type { Meta } from '@stoa/shared/bus/meta.js'
import type { ContentDeps } from '../deps.ts'
import type { SuggestionDocument } from '../tables/documents.ts'
import { findSubmission, JUDGED_COLUMNS, type JudgedSubmission } from '../tables/submissions.ts'
import { SUGGESTION_COLUMNS, type SuggestionRow } from '../tables/suggestion-rows.ts'
import type { Query } from '../transaction.ts'
import { type Visible, visible } from './visible.ts'

type Proposal = JudgedSubmission & { handle: string }

/** The suggestion as far as the caller may see it. */
export function visibleSuggestion(
  query: Query,
  deps: Pick<ContentDeps, 'baseUrl'>,
  id: string,
  meta: Meta,
): Promise<Visible<SuggestionRow>> {
  const places = {
    what: 'suggestion' as const,
    published: () => findSuggestion(query, id),
    caseOf: (row: SuggestionRow) => findSubmission(query, row.case_id),
    proposed: () => findProposal(query, id),
    asRow: pendingRow,
  }
  return visible(places, deps.baseUrl, meta)
}

async function findSuggestion(query: Query, id: string): Promise<SuggestionRow | undefined> {
  const [row] = await query.rows<SuggestionRow>(
    'find-suggestion',
    `SELECT ${SUGGESTION_COLUMNS} FROM suggestions s JOIN agents a ON a.id = s.agent_id
     WHERE s.id = $1`,
    [id],
  )
  return row
}

async function findProposal(query: Query, id: string): Promise<Proposal | undefined> {
  const [found] = await query.rows<Proposal>(
    'find-proposed-suggestion',
    `SELECT s.*, ${JUDGED_COLUMNS}, a.handle FROM submissions s JOIN agents a ON a.id = s.agent_id
     WHERE s.target_id = $1 AND s.kind = 'suggestion' ORDER BY s.id DESC LIMIT 1`,
    [id],
  )
  return found
}

/** A suggestion that is not public yet, as its author and moderators see it. */
function pendingRow(found: Proposal): SuggestionRow {
  return {
    ...(found.document as SuggestionDocument),
    status: 'open',
    score: 0,
    visibility: found.visibility,
    case_id: found.id,
    agent_id: found.agent_id,
    revision: 1,
    created_at: found.submitted_at,
    handle: found.handle,
  }
}
