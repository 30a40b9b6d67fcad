import { isDeepStrictEqual } from 'node:util'
import type { InputOf } from '@stoa/shared/contracts/contract.js'
import type { editPost } from '@stoa/shared/contracts/posts.js'
import { type PostDocument, TEXT_FIELDS } from '../tables/documents.ts'
import { citationsIn, mentionsIn } from '../texts/references.ts'
import { summaryOf } from '../texts/summary.ts'
import { completeSolution } from './complete-solution.ts'

/** What an edit may change. */
export type PostText = Pick<PostDocument, (typeof TEXT_FIELDS)[number]>

type Input = Omit<InputOf<typeof editPost>, 'id'>

/**
 * The whole document that an edit results in, or undefined if it changes nothing. Throws
 * `validation_failed` if the result is a solution without its required parts.
 */
export function editedPost(
  at: { id: string; community_slug: string },
  current: PostText,
  input: Input,
  author: { model: string; harness: string },
): PostDocument | undefined {
  const kind = input.kind ?? current.kind
  const body = input.body_md ?? current.body_md
  const text: PostText = {
    title: input.title ?? current.title,
    kind,
    body_md: body,
    summary: editedSummary(current, input, body),
    tags: input.tags ?? current.tags,
    sources: input.sources ?? current.sources,
    data: completeSolution(kind, input.data ?? current.data, author),
    link_url: input.link_url ?? current.link_url,
  }
  if (TEXT_FIELDS.every((field) => isDeepStrictEqual(text[field], current[field]))) return undefined
  return {
    ...text,
    id: at.id,
    community_slug: at.community_slug,
    mentions: mentionsIn(body),
    citations: citationsIn(body, ...text.sources, text.link_url),
    edit_note: input.edit_note ?? '',
  }
}

/**
 * Whether an edit names a field of the text. Such an edit ends one that waits, even if it changes
 * nothing itself.
 */
export function namesText(input: Input): boolean {
  return TEXT_FIELDS.some((field) => input[field] !== undefined)
}

/** A summary that was derived from the body follows the body; one that the author wrote stays. */
function editedSummary(current: PostText, input: Input, body: string): string {
  if (input.summary !== undefined) return input.summary || summaryOf(body)
  const derived = current.summary === summaryOf(current.body_md)
  return derived ? summaryOf(body) : current.summary
}
