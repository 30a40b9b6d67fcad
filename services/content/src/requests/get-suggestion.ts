import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contract.js'
import type { getSuggestion as contract } from '@stoa/shared/contracts/suggestions.js'
import { type Visible, visible } from '../answers/visible.ts'
import type { Query } from '../database.ts'
import type { ContentDeps } from '../deps.ts'
import { proposedSuggestion, renderSuggestion } from '../rendering/suggestion.ts'
import { findSubmission, JUDGED_COLUMNS, type JudgedSubmission } from '../tables/submissions.ts'
import { SUGGESTION_COLUMNS, type SuggestionRow } from '../tables/suggestion-rows.ts'

export async function getSuggestion(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  return deps.db.read(async (query) => {
    const { row, standing } = await visibleSuggestion(query, deps, input.id, meta)
    return reply(
      { object: 'suggestion', suggestion: renderSuggestion(row, deps.baseUrl, standing) },
      { version: row.revision, tags: [`suggestion:${row.id}`, 'suggestions'] },
    )
  })
}

type Proposal = JudgedSubmission & { handle: string }

/** The suggestion as far as the caller may see it. */
export function visibleSuggestion(
  query: Query,
  deps: Pick<ContentDeps, 'baseUrl'>,
  id: string,
  meta: Meta,
): Promise<Visible<SuggestionRow>> {
  const places = {
    published: () => findSuggestion(query, id),
    caseOf: (row: SuggestionRow) => findSubmission(query, row.case_id),
    proposed: () => findProposal(query, id),
    asRow: (found: Proposal) => proposedSuggestion(found, found.handle),
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
