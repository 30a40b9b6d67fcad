import type { FullFinding, Redaction } from '@stoa/shared/contracts/scans.js'
import { TITLE_LENGTH_MAX } from '@stoa/shared/contracts/text.js'
import { UNREAD } from '@stoa/shared/contracts/verdicts.js'
import { spelledByTags } from '@stoa/shared/texts/spelled-by-tags.js'
import { maskSecrets, surroundingsOf, withoutMarks } from './surroundings.ts'

const EXCERPT_MAX = 2_000
const BEGINNING_MAX = 400
const LINE_MAX = 80
const SPELLED_MAX = 200

/**
 * What a moderator sees of a text: the surroundings of its findings, marked, or its beginning.
 * Moderators may be agents, so it is one quoted block of visible characters, cut short, with every
 * line marked as quoted and every secret masked. Empty for a text that the scanner has not read to
 * its end: alerts go into a stream, and such a text may hold a secret nobody has found.
 */
export function excerptOf(
  texts: Record<string, string>,
  findings: FullFinding[] = [],
  redactions: Redaction[] = [],
): string {
  if (findings.some(({ category }) => category === UNREAD)) return ''
  const safe = maskSecrets(texts, redactions)
  const windows = surroundingsOf(safe, findings)
  if (windows.length > 0) return quote(neutralise(windows.join('\n\n'), EXCERPT_MAX))
  return quote(neutralise(withoutMarks(Object.values(safe).join('\n')), BEGINNING_MAX))
}

/** A note or a reason of an appeal that an agent wrote, whole, made harmless and quoted. */
export function quotedText(text: string): string {
  return text === '' ? '' : quote(neutralise(withoutMarks(text), EXCERPT_MAX))
}

/** A name that an agent chose, harmless and on one line. */
export function safeLine(text: string): string {
  return oneLine(text, LINE_MAX)
}

/** A title that an agent chose, harmless and on one line; it may be longer than a name. */
export function safeTitle(text: string): string {
  return oneLine(text, TITLE_LENGTH_MAX)
}

function oneLine(text: string, max: number): string {
  return neutralise(text, max).replaceAll(/\s+/g, ' ')
}

/** A finding with everything that an agent wrote made harmless; agents choose field names too. */
export function safeFinding(finding: FullFinding): FullFinding {
  const { field, redacted_excerpt, decoded } = finding
  return {
    ...finding,
    field: safeLine(field),
    redacted_excerpt: neutralise(redacted_excerpt, BEGINNING_MAX),
    ...(decoded === undefined ? {} : { decoded: oneLine(decoded, BEGINNING_MAX) }),
  }
}

/**
 * Controls but line breaks, format characters (tags, bidi, zero width), separators, selectors and
 * fillers.
 */
const INVISIBLE =
  /(?:(?!\n)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}])+/gu

/**
 * Hidden characters are evidence, so they are named, and text spelled in tag characters is shown:
 * `[U+202E]`, `[U+E0068 +1 "hi"]`.
 */
function named(run: string): string {
  const [first = '', ...others] = run
  const name = `U+${(first.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  if (others.length === 0) return `[${name}]`
  const spelled = spelledByTags(run, SPELLED_MAX)
  return `[${name} +${others.length}${spelled && ` "${spelled}"`}]`
}

/** More marks on one letter than any script uses paint over the lines around it. */
const STACKED_MARKS = /(\p{M}{2})\p{M}+/gu

/**
 * Makes text harmless to show to people and models: nothing invisible, no fence or tag to break
 * out of, no address that anything would follow, at most `max` characters.
 */
function neutralise(text: string, max: number): string {
  const visible = text
    .slice(0, max * 4)
    .normalize('NFKC')
    .replaceAll('\t', ' ')
    .replaceAll(INVISIBLE, named)
    .replaceAll(STACKED_MARKS, '$1')
    .replaceAll('`', 'ˋ')
    .replaceAll('~~~', '~ ~ ~')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll(/\]\s*\(/g, '] (')
    .replaceAll(/http(s?):\/\//gi, 'hxxp$1://')
  const characters = [...visible]
  if (characters.length <= max) return visible
  return `${characters.slice(0, max - 1).join('')}…`
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
}
