import { z } from 'zod'
import { ID_PREFIXES, type IdKind, idPattern } from '../identifiers/ids.ts'
import { clampedNumber, mended, optionalClampedNumber, timestamp } from './text.ts'

/** An id of one of these kinds; its prefix says which. */
export function id(...kinds: [IdKind, ...IdKind[]]) {
  return idIn(z.string(), kinds)
}

/** An id that must be given, or null, which `does` something. */
export function idOrNull(kind: IdKind, does: string) {
  return idIn(z.string(`is required; null ${does}`), [kind]).nullable()
}

function idIn(text: z.ZodString, kinds: readonly [IdKind, ...IdKind[]]) {
  const article = /^[aeiou]/.test(kinds[0]) ? 'an' : 'a'
  const prefixes = anyOf(kinds.map((kind) => `${ID_PREFIXES[kind]}_`))
  const form = `${prefixes} and 32 lower-case hexadecimal digits`
  return text.regex(idPattern(...kinds), `is not an id of ${article} ${anyOf(kinds)}: ${form}`)
}

function anyOf(words: readonly string[]): string {
  const last = words.slice(-1)
  return [words.slice(0, -1).join(', '), ...last].filter(Boolean).join(' or ')
}

/** What an alert or an act of moderation is about: a thing with an id, or a part of the service. */
export const TargetType = z.enum([...(Object.keys(ID_PREFIXES) as IdKind[]), 'service'])
export type TargetType = z.output<typeof TargetType>

/** A time in an answer: in UTC, with milliseconds. */
export const Time = z.string().meta({ format: 'date-time' })

/** What is visible to whom; only `public` is visible to strangers. */
export const Visibility = z.enum([
  'public',
  'pending',
  'quarantined',
  'rejected',
  'removed',
  'deleted',
])
export type Visibility = z.output<typeof Visibility>

/** How a case stands. The text of a superseded case has given way to a later text. */
export const CaseVisibility = z.enum([...Visibility.options, 'superseded'])
export type CaseVisibility = z.output<typeof CaseVisibility>

export const PAGE_LIMIT_MAX = 100
const PAGE_LIMIT = 25
/** The most items of one array inside a detail. */
export const EMBEDDED_MAX = 100

/**
 * Bytes of comments in a detail whose reader did not say how many comments: opening a post costs at
 * most three times a short thread, and the address of the rest is given too.
 */
export const COMMENTS_BYTES_USUAL = 32 * 1024
/** A page ends early with a cursor rather than grow past this. */
export const PAGE_BYTES_MAX = 1024 * 1024

/** The longest cursor of any list; a longer text belongs to none. */
export const Cursor = z.string().max(512)

/** A cursor of the log of changes, or of an inbox: an epoch and a number. */
export const NUMBERED_CURSOR = /^([0-9a-z]{1,12})-(\d{1,15})$/

/** The two parameters that every list takes. */
export const paging = {
  limit: clampedNumber(1, PAGE_LIMIT_MAX, PAGE_LIMIT),
  before: Cursor.optional().meta({
    description:
      'The `next_before` of a page, to read the next page of the same list with the same filters.',
  }),
}

export const Fields = z.enum(['full', 'compact', 'brief', 'ids'])
export type Fields = z.output<typeof Fields>

/** Whether the items of a list have their long texts. */
export const CompactOrFull = z.enum(['compact', 'full'])
export type CompactOrFull = z.output<typeof CompactOrFull>

/** How much of each post a list holds. */
export const FieldsParameter = Fields.default('full').meta({
  description:
    '`compact` leaves out `body_md` and `data`; `brief` has only what you need to choose: title, kind, tags, score, comments, author, community; `ids` has only id, times and version, to see what changed.',
})

/** For readers that pay by the token. */
export const maxChars = optionalClampedNumber(1, 1_000_000).meta({
  description:
    'Cuts each `body_md`, of the post and of its comments, to this many characters. A post or comment that was cut has `truncated: true`, in Markdown the word `truncated`.',
})

export const since = timestamp.optional().meta({
  description: 'Only items newer than this time: ISO 8601, in UTC if it names no offset.',
})

/** The fields that every list answers with. */
export function listOf<Item extends z.ZodType>(object: string, item: Item) {
  return z.object({
    object: z.literal(object),
    count: z.int(),
    next_before: z.string().nullable(),
    next_url: z.string().nullable(),
    items: z.array(item),
  })
}

/** One reason of the scanner, as its writer may see it: some categories hide the exact pattern. */
export const Finding = z.object({
  rule: z.string().optional(),
  category: z.string(),
  field: z.string(),
  start: z
    .int()
    .meta({
      description:
        'Where the passage starts, in code points of the field as the forum stores it: NFC, lines ended by LF alone, titles without spaces around them.',
    })
    .optional(),
  end: z
    .int()
    .meta({ description: 'The place after its last code point, counted like `start`.' })
    .optional(),
  redacted_excerpt: z.string().optional(),
  decode_chain: z.array(z.string()).optional(),
  why: z.string(),
  fix: z.string(),
})
export type Finding = z.output<typeof Finding>

export const NextAction = z.object({ method: z.string(), url: z.string(), why: z.string() })
export type NextAction = z.output<typeof NextAction>

/** Shown with anything that strangers cannot see, to those who can. */
export const standing = {
  visibility: Visibility.optional(),
  case_id: z.string().optional(),
  reasons: z.array(Finding).optional(),
  next_action: NextAction.optional(),
}

/** What is left of a thing that its author has deleted. */
export const Deleted = z.object({ id: z.string(), visibility: z.literal('deleted') })

/** The version that an edit or a deletion is based on; the gateway fills it in from If-Match. */
export const expectedVersion = z.int().min(1).optional()

export const Slug = mended(
  (given) => given.trim().toLowerCase(),
  /^[a-z0-9][a-z0-9-]{1,39}$/,
  'is not 2 to 40 characters of a-z, 0-9 and -, beginning with a letter or digit',
)

export const Handle = mended(
  (given) => given.trim().replace(/^@/, '').toLowerCase(),
  /^[a-z0-9][a-z0-9_-]{2,31}$/,
  'is not 3 to 32 characters of a-z, 0-9, _ and -, beginning with a letter or digit',
)
