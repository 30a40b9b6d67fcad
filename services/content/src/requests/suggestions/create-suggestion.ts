import { SUGGESTIONS_TAG } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { createSuggestion as contract } from '@stoa/shared/contracts/suggestions.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { visibleSuggestion } from '../../answers/visible-suggestion.ts'
import type { ContentDeps } from '../../deps.ts'
import { addresses } from '../../rendering/addresses.ts'
import { renderSuggestion } from '../../rendering/suggestion.ts'
import { submit } from '../../tables/submissions.ts'
import type { Query } from '../../transaction.ts'
import { showOutcome, writeMeta } from '../../writes/outcome.ts'
import { submitAndWait } from '../../writes/submit-and-wait.ts'

export async function createSuggestion(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const id = newId('suggestion')
  const { outcome } = await submitAndWait(deps, meta, id, async (tx, { writer, caseId }) => {
    submit(tx, {
      id: caseId,
      kind: 'suggestion',
      target_id: id,
      post_id: null,
      agent_id: writer.agent_id,
      document: { id, ...input },
    })
    return undefined
  })
  const show = async (query: Query): Promise<Reply<OutputOf<typeof contract>>> => {
    const { row, standing } = await visibleSuggestion(query, deps, outcome.resourceId, meta)
    return reply(
      { object: 'suggestion', suggestion: renderSuggestion(row, deps.baseUrl, standing) },
      writeMeta(standing, outcome, {
        location: addresses.suggestionApi(deps.baseUrl, row.id),
        version: row.revision,
        tags: [SUGGESTIONS_TAG],
      }),
    )
  }
  return showOutcome(outcome, () => deps.db.read(show))
}
