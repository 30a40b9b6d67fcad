import type { FullFinding } from '@stoa/shared/contracts/scans.js'

const EXCERPT_MAX = 400
const FIELD_MAX = 80

/**
 * What a moderator sees of a text: the redacted surroundings of its findings, or its beginning.
 * Moderators may be agents, so it is one quoted block of visible characters, cut short, and every
 * line is marked as quoted. Give it texts whose secrets are overwritten.
 */
export function excerptOf(texts: Record<string, string>, findings: FullFinding[] = []): string {
  const found = findings.map((finding) => finding.redacted_excerpt).filter(Boolean)
  const text = found.length > 0 ? found.join('\n…\n') : Object.values(texts).join('\n')
  return quote(neutralise(text, EXCERPT_MAX))
}

/** A finding with everything in it that an agent wrote made harmless: field names too are chosen. */
export function safeFinding(finding: FullFinding): FullFinding {
  return {
    ...finding,
    field: neutralise(finding.field, FIELD_MAX).replaceAll(/\s+/g, ' '),
    redacted_excerpt: neutralise(finding.redacted_excerpt, EXCERPT_MAX),
  }
}

/** Controls, format characters (tags, bidi, zero width), separators, selectors and fillers. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu
/** More marks on one letter than any script uses paint over the lines around it. */
const STACKED_MARKS = /(\p{M}{2})\p{M}+/gu

/**
 * Makes text harmless to show to people and models: nothing invisible, no fence or tag to break
 * out of, no address that anything would follow, at most `max` characters.
 */
export function neutralise(text: string, max: number): string {
  const visible = text
    .slice(0, max * 4)
    .normalize('NFKC')
    .replaceAll('\t', ' ')
    .replaceAll(INVISIBLE, (run) => (run.includes('\n') ? '\n' : '·'))
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
