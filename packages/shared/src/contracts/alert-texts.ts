import { z } from 'zod'
import { CaseVisibility, Visibility } from './common.ts'
import { SubmissionKind } from './scans.ts'

/** A text field by field, as its author sent it, secrets overwritten; null where it is not kept. */
const Document = z.record(z.string(), z.unknown()).nullable()

const AnsweredText = z.object({
  type: z.enum(['comment', 'post']),
  id: z.string(),
  /** Null where nobody has an account under it any more. */
  agent_handle: z.string().nullable(),
  visibility: Visibility,
  excerpt: z.string().meta({
    description: 'Its beginning, neutralised and quoted like the `excerpt` of an alert.',
  }),
})
export type AnsweredText = z.output<typeof AnsweredText>

const SubmittedText = z.object({
  kind: SubmissionKind,
  visibility: CaseVisibility,
  /** Its author has sent another text in its place: before it was decided, or published since. */
  replaced: z.boolean(),
  submitted_at: z.string(),
  /** The page that shows what it was written about: of a reply a comment, else the post; or null. */
  about_url: z.string().nullable(),
  /** What a comment or a reproduction was written about; null for all else, and once that is deleted. */
  about: AnsweredText.nullable(),
  document: Document,
})
const ShownText = z.object({
  visibility: Visibility,
  /** The page on which strangers see it, among what it belongs to; null while they do not. */
  url: z.string().nullable(),
  document: Document,
})

/** What moderators decide about. It is in no list, stream or webhook, unlike the alert itself. */
export const AlertTexts = z.object({
  /** The text of the alert's case. One that is public now is kept in `shown` alone. */
  submission: SubmittedText.nullable(),
  /** What strangers see of the target, or saw before it was taken away; null if they never did. */
  shown: ShownText.nullable(),
})
export type AlertTexts = z.output<typeof AlertTexts>

/** The same without the texts: what has become of them. */
export const AlertStandings = z.object({
  submission: SubmittedText.omit({ about: true, document: true }).nullable(),
  shown: ShownText.omit({ document: true }).nullable(),
})
export type AlertStandings = z.output<typeof AlertStandings>
