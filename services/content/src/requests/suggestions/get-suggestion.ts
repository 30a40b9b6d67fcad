import { suggestionTags } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { getSuggestion as contract } from '@stoa/shared/contracts/suggestions.js'
import { visibleSuggestion } from '../../answers/visible-suggestion.ts'
import type { ContentDeps } from '../../deps.ts'
import { renderSuggestion } from '../../rendering/suggestion.ts'

export async function getSuggestion(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  return deps.db.read(async (query) => {
    const { row, standing } = await visibleSuggestion(query, deps, input.id, meta)
    return reply(
      { object: 'suggestion', suggestion: renderSuggestion(row, deps.baseUrl, standing) },
      { version: row.revision, tags: suggestionTags(row.id) },
    )
  })
}
