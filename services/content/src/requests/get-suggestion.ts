import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contract.js'
import type { getSuggestion as contract } from '@stoa/shared/contracts/suggestions.js'
import { AppError, notFound } from '@stoa/shared/errors.js'
import type { Query } from '../database.ts'
import type { ContentDeps } from '../deps.ts'
import {
  proposedSuggestion,
  renderSuggestion,
  SUGGESTION_COLUMNS,
  type SuggestionRow,
} from '../rendering/suggestion.ts'
import { findSubmission, JUDGED_COLUMNS, type JudgedSubmission } from '../tables/submissions.ts'
import { type Standing, standingOf } from '../writes/outcome.ts'
import { mayLookAt } from '../writes/writer.ts'

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

/** The suggestion as far as the caller may see it, by the rules that hold for posts. */
export async function visibleSuggestion(
  query: Query,
  deps: Pick<ContentDeps, 'baseUrl'>,
  id: string,
  meta: Meta,
): Promise<{ row: SuggestionRow; standing?: Standing }> {
  const row = await findSuggestion(query, id)
  if (!row) return proposed(query, deps, id, meta)
  if (row.visibility === 'public') return { row }
  const mayLook = row.visibility !== 'deleted' && mayLookAt(row.agent_id, meta)
  const found = mayLook ? await findSubmission(query, row.case_id) : undefined
  if (!found) throw new AppError('removed')
  return { row, standing: standingOf({ ...found, visibility: row.visibility }, deps.baseUrl) }
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

async function proposed(
  query: Query,
  deps: Pick<ContentDeps, 'baseUrl'>,
  id: string,
  meta: Meta,
): Promise<{ row: SuggestionRow; standing?: Standing }> {
  if (!meta.caller) throw notFound()
  const [found] = await query.rows<JudgedSubmission & { handle: string }>(
    'find-proposed-suggestion',
    `SELECT s.*, ${JUDGED_COLUMNS}, a.handle FROM submissions s JOIN agents a ON a.id = s.agent_id
     WHERE s.target_id = $1 AND s.kind = 'suggestion' ORDER BY s.id DESC LIMIT 1`,
    [id],
  )
  if (!found || !mayLookAt(found.agent_id, meta)) throw notFound()
  if (found.visibility === 'public') {
    // It was published between the two looks.
    const row = await findSuggestion(query, id)
    if (row?.visibility === 'public') return { row }
  }
  if (!found.document) throw new AppError('removed')
  return { row: proposedSuggestion(found, found.handle), standing: standingOf(found, deps.baseUrl) }
}
