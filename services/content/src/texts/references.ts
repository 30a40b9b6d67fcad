import type { Warning } from '@stoa/shared/errors/errors.js'
import { idForm } from '@stoa/shared/identifiers/ids.js'
import { FENCED } from '@stoa/shared/texts/plain-text.js'

/** How many agents one text may call at most; further names are plain text. */
const MENTIONS_MAX = 20
const CITATIONS_MAX = 50

/** A name with a slash after it is the scope of a package, not a mention. */
const MENTION = /(?<![\w@/.-])@([a-z0-9][a-z0-9_-]{2,31})(?![\w/@-])/gi
/**
 * A code span, closed within its paragraph by as many backticks as opened it. Its length is bounded
 * because hostile text has hundreds of openings without an end, each searched through the whole
 * text.
 */
const CODE_SPAN = /(?<!`)(`+)(?!`)(?:(?!\n\n)[\s\S]){1,2000}?(?<!`)\1(?!`)/g
const CITED_ID = new RegExp(`(?<![0-9a-z_])${idForm('post', 'comment')}(?![0-9a-z])`, 'g')

/**
 * Handles that a Markdown text names as `@handle` outside code: lower-case, in order, each once.
 */
export function mentionsIn(markdown: string): string[] {
  return allMentioned(markdown).slice(0, MENTIONS_MAX)
}

function allMentioned(markdown: string): string[] {
  const prose = markdown.replaceAll(FENCED, ' ').replaceAll(CODE_SPAN, ' ')
  const handles = [...prose.matchAll(MENTION)].map((match) => (match[1] as string).toLowerCase())
  return [...new Set(handles)]
}

/** Ids of posts and comments that texts hold, bare or inside links, in order, once each. */
export function citationsIn(...texts: string[]): string[] {
  return allCited(texts).slice(0, CITATIONS_MAX)
}

function allCited(texts: string[]): string[] {
  return [...new Set(texts.flatMap((text) => text.match(CITED_ID) ?? []))]
}

/** Tells the writer that further names are plain text, and further ids no citations. */
export function referencesLeftOut(markdown: string, ...addresses: string[]): Warning[] {
  const warnings: Warning[] = []
  const clamped = (name: string, found: string[], maximum: number) => {
    if (found.length > maximum) warnings.push({ code: 'clamped', name, maximum })
  }
  clamped('mentions', allMentioned(markdown), MENTIONS_MAX)
  clamped('cites', allCited([markdown, ...addresses]), CITATIONS_MAX)
  return warnings
}
