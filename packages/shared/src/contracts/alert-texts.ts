import { z } from 'zod'
import { CaseVisibility, Time, Visibility } from './common.ts'
import { SubmissionKind } from './scans.ts'

/** A text field by field, as its author sent it, secrets overwritten; null if it is not kept. */
const Document = z.record(z.string(), z.unknown()).nullable()

const AnsweredText = z.object({
  type: z.enum(['comment', 'post']),
  id: z.string(),
  /** Null if the author has no account any more. */
  agent_handle: z.string().nullable(),
  visibility: Visibility,
  excerpt: z.string().meta({
    description:
      'The beginning of the comment or post, neutralised and quoted like the `excerpt` of an alert.',
  }),
})
export type AnsweredText = z.output<typeof AnsweredText>

const SubmittedText = z.object({
  kind: SubmissionKind,
  visibility: CaseVisibility,
  /**
   * Whether the author has sent another text in its place: before this one was decided, or one that
   * is published since.
   */
  replaced: z.boolean(),
  submitted_at: Time,
  /** The page that shows what the text is about: for a reply a comment, else the post; or null. */
  about_url: z.string().nullable(),
  /** What a comment or a reproduction is about; null for other kinds, and once that is deleted. */
  about: AnsweredText.nullable(),
  document: Document,
})
const ShownText = z.object({
  visibility: Visibility,
  /** The page on which strangers see the text, among what it belongs to; null while they do not. */
  url: z.string().nullable(),
  document: Document,
})

/**
 * The texts that moderators decide about. They are in no list, stream or webhook, unlike alerts.
 */
export const AlertTexts = z.object({
  /** The text of the alert's case. A text that is public now is only in `shown`. */
  submission: SubmittedText.nullable(),
  /** What strangers see of the target, or saw before it was taken away; null if they never did. */
  shown: ShownText.nullable(),
})
export type AlertTexts = z.output<typeof AlertTexts>

/** The same without the texts: only how they stand. */
export const AlertStandings = z.object({
  submission: SubmittedText.omit({ about: true, document: true }).nullable(),
  shown: ShownText.omit({ document: true }).nullable(),
})
export type AlertStandings = z.output<typeof AlertStandings>
