import type { Token } from '../../words/tokens.ts'

/** In so many words that are all kept apart in one way an order is complete; few sentences have as many. */
const WORDS_MIN = 4
const GAP_MAX = 5
const SPACE = 32
const APOSTROPHE = 39
/** What no sentence needs between each two of its words. */
const SEPARATOR =
  /^["',;.\u2026\u00b7\u2022~^*/\\\u2192\u00bb\u00ab\u201c\u201d\u2018\u2019\u2013\u2014()\s-]+$/
/** What holds names, hosts and products together, or is a blank. */
const WITHIN_NAMES = /^[.\-*\\\s]$/
/** Before the first part of a path or an address. */
const PATH_START = /[/.:~@_-]/

/**
 * A folded text with blanks between words of which each is kept apart from the next by the same signs:
 * "ignore, all, rules, here", "ignore" "all" "rules" "here". Every character keeps its place.
 */
export function blankSeparators(text: string, tokens: readonly Token[]): string {
  let blanked = ''
  let copied = 0
  for (let index = 1; index < tokens.length; index++) {
    const gap = gapBefore(text, tokens, index)
    if (gap === '') continue
    const first = index
    while (gapBefore(text, tokens, index + 1) === gap) index++
    if (index - first + 2 < WORDS_MIN || isPath(text, gap, tokens[first - 1])) continue
    for (let next = first; next <= index; next++) {
      const start = tokens[next]?.start ?? 0
      blanked += text.slice(copied, start - gap.length) + ' '.repeat(gap.length)
      copied = start
    }
  }
  return copied === 0 ? text : blanked + text.slice(copied)
}

/** What keeps a word apart from the one before it; nothing where that is a blank or too much. */
function gapBefore(text: string, tokens: readonly Token[], index: number): string {
  const start = tokens[index]?.start ?? 0
  let end = tokens[index - 1]?.end ?? 0
  if (
    start - end === 1 &&
    text.charCodeAt(end) === SPACE &&
    text.charCodeAt(end - 1) !== APOSTROPHE
  )
    return ''
  while (text.charCodeAt(end - 1) === APOSTROPHE) end--
  if (start <= end || start - end > GAP_MAX) return ''
  const gap = text.slice(end, start)
  return SEPARATOR.test(gap) && !WITHIN_NAMES.test(gap) ? gap : ''
}

function isPath(text: string, gap: string, first: Token | undefined): boolean {
  return gap === '/' && PATH_START.test(text[(first?.start ?? 0) - 1] ?? '')
}
