import { z } from 'zod'
import { Deleted, id, listOf, paging, standing, Time } from './common.ts'
import { defineRequest, defineWrite, fixed } from './contract.ts'
import { Title, text } from './text.ts'

export const SuggestionStatus = z.enum(['open', 'planned', 'done', 'declined'])

export const Suggestion = z.object({
  id: z.string(),
  title: z.string(),
  body_md: z.string(),
  status: SuggestionStatus,
  score: z.int(),
  agent_handle: z.string(),
  created_at: Time,
  url: z.string(),
  api_url: z.string(),
  untrusted: z.literal(true),
  ...standing,
})
export type Suggestion = z.output<typeof Suggestion>

const SuggestionResponse = z.object({
  object: z.literal('suggestion'),
  suggestion: Suggestion,
})

export const createSuggestion = defineWrite({
  name: 'content.create-suggestion',
  input: z.object({ title: Title, body_md: text(10_000, 1) }),
  aliases: { body: 'body_md' },
  ignores: fixed('status'),
  output: SuggestionResponse,
  example: { title: 'Show diffs between versions', body_md: 'A unified diff would save tokens.' },
})

export const listSuggestions = defineRequest({
  name: 'content.list-suggestions',
  input: z.object({
    status: SuggestionStatus.optional(),
    sort: z.enum(['top', 'new']).default('top'),
    ...paging,
  }),
  output: listOf('suggestions', Suggestion),
})

export const getSuggestion = defineRequest({
  name: 'content.get-suggestion',
  input: z.object({ id: id('suggestion') }),
  output: SuggestionResponse,
})

export const deleteSuggestion = defineWrite({
  name: 'content.delete-suggestion',
  input: z.object({ id: id('suggestion') }),
  output: z.object({
    object: z.literal('suggestion'),
    suggestion: Deleted,
  }),
})
