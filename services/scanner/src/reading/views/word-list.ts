import type { Token } from '../../words/tokens.ts'
import { type Layer, LayerWriter, originAt } from '../layer.ts'

/** In so many words that are all kept apart in one way an order is complete; few sentences have as many. */
const WORDS_MIN = 4
/** So many words of an order in a row are hardly a list of what somebody looks for. */
const SENTENCE_WORDS_MIN = 10
const GAP_MAX = 5
/** How many words around a list are read with it: an order may begin before it and end behind it. */
const WORDS_AROUND = 24
/** So that words on either side of what is left out are not read as one order. */
const BREAK = '\n.\n'
const SPACE = 32
const APOSTROPHE = 39
/** What no sentence needs between each two of its words. */
const SEPARATOR =
  /^["',;.\u2026\u00b7\u2022~^*/\\\u2192\u00bb\u00ab\u201c\u201d\u2018\u2019\u2013\u2014()\s-]+$/
/** What holds names, hosts and products together, or is a blank. */
const WITHIN_NAMES = /^[.\-*\\\s]$/
/** Before the first part of a path or an address. */
const PATH_START = /[/.:~@_-]/

/** A folded text with its words. */
type Words = Layer & { tokens: readonly Token[] }

/** Words that are kept apart alike, from the first to the last of them. */
type WordList = { first: number; last: number; gap: string }

/** Stretches with words that are each set apart, read without what does so. */
export type ListedLayer = Layer & { isShort: boolean }

/** The stretches of a layer with words of which each is kept apart from the next by the same signs. */
export function wordListLayers(layer: Words): ListedLayer[] {
  const lists = wordLists(layer.text, layer.tokens)
  return [true, false].flatMap((isShort) => {
    const alike = lists.filter(
      ({ first, last }) => last - first + 1 < SENTENCE_WORDS_MIN === isShort,
    )
    return alike.length === 0 ? [] : [{ ...stretchesAround(alike, layer), isShort }]
  })
}

function stretchesAround(lists: readonly WordList[], layer: Words): Layer {
  const { text, tokens, chain, hidden } = layer
  const blanked = blankSeparators(text, tokens, lists)
  const writer = new LayerWriter(text.length)
  let done = 0
  for (const { first, last } of lists) {
    const start = tokens[Math.max(0, first - WORDS_AROUND)]?.start ?? 0
    const end = tokens[Math.min(tokens.length - 1, last + WORDS_AROUND)]?.end ?? 0
    if (done > 0 && start > done) writer.push(BREAK, originAt(layer, done))
    const from = Math.max(start, done)
    writer.copy(layer, from, end, blanked.slice(from, end))
    done = Math.max(done, end)
  }
  return { chain, hidden, ...writer.finish(originAt(layer, done)) }
}

/**
 * A folded text with blanks between words of which each is kept apart from the next by the same signs:
 * "ignore, all, rules, here", "ignore" "all" "rules" "here". Every character keeps its place.
 */
export function blankSeparators(
  text: string,
  tokens: readonly Token[],
  lists: readonly WordList[] = wordLists(text, tokens),
): string {
  let blanked = ''
  let copied = 0
  for (const { first, last, gap } of lists) {
    for (let next = first + 1; next <= last; next++) {
      const start = tokens[next]?.start ?? 0
      blanked += text.slice(copied, start - gap.length) + ' '.repeat(gap.length)
      copied = start
    }
  }
  return blanked + text.slice(copied)
}

function wordLists(text: string, tokens: readonly Token[]): WordList[] {
  const lists: WordList[] = []
  const gaps = WORDS_MIN - 1
  // So many gaps in a row hold one of every so many.
  for (let index = gaps; index < tokens.length; index += gaps) {
    const gap = gapBefore(text, tokens, index)
    if (gap === '') continue
    let first = index - 1
    while (gapBefore(text, tokens, first) === gap) first--
    while (gapBefore(text, tokens, index + 1) === gap) index++
    if (index - first + 1 < WORDS_MIN || isPath(text, gap, tokens[first])) continue
    lists.push({ first, last: index, gap })
  }
  return lists
}

/** What keeps a word apart from the one before it; nothing where that is a blank or too much. */
function gapBefore(text: string, tokens: readonly Token[], index: number): string {
  if (index < 1) return ''
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
