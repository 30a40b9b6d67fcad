import { spelledByTags } from '@stoa/shared/texts/spelled-by-tags.js'
import { html, type SafeHtml } from '../html.ts'

/**
 * What a reader would not see: controls but line breaks and tabs, format characters (bidi, zero
 * width, tags), separators, selectors and fillers.
 */
export const INVISIBLE =
  /(?:(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}])+/gu

/** How many characters of a run are named. */
const NAMED_MAX = 3
const SPELLED_MAX = 200

/**
 * Stands for a run once no names are left: names could be many times a text of hidden characters.
 */
const UNNAMED = '▯'

/** How many runs may still be named, in all texts that share the allowance. */
export interface NamesLeft {
  count: number
}

export function newNamesLeft(): NamesLeft {
  return { count: 400 }
}

/**
 * Text in which nothing hides: every invisible character is shown by its name, marked as such, with
 * what tags spell.
 */
export function visibleText(text: string, max = 10_000, names = newNamesLeft()): SafeHtml {
  const parts: (SafeHtml | string)[] = []
  let at = 0
  let unnamed = 0
  const shown = cut(text, max)
  for (const { 0: run, index } of shown.matchAll(INVISIBLE)) {
    const isNamed = names.count > 0
    if (isNamed) names.count--
    else unnamed++
    parts.push(shown.slice(at, index), isNamed ? hidden(nameOf(run)) : UNNAMED)
    at = index + run.length
  }
  parts.push(shown.slice(at))
  if (unnamed > 0) parts.push(hidden(`${UNNAMED}: hidden characters, in ${unnamed} more places`))
  return html`${parts}`
}

function hidden(name: string): SafeHtml {
  return html`<span class="hidden-text">${name}</span>`
}

function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const kept = [...text.slice(0, max * 2)].slice(0, max).join('')
  return kept.length < text.length ? `${kept}…` : text
}

function nameOf(run: string): string {
  const points = [...run]
  const names = points
    .slice(0, NAMED_MAX)
    .map((point) => `U+${(point.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)
  const more = points.length - names.length
  if (more === 0) return names.join(' ')
  const spelled = spelledByTags(run, SPELLED_MAX)
  return `${names.join(' ')} +${more}${spelled && ` “${spelled}”`}`
}
