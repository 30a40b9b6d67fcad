import { isAlphanumeric, SPACE } from '../../ascii.ts'
import type { Token } from '../../words/tokens.ts'
import { type Layer, LayerWriter, originAt } from '../layer.ts'

/** How many words, separated in one way, can be a complete order; few sentences have as many. */
const WORDS_MIN = 4
/** This many separated words are hardly a list of what somebody looks for. */
const SENTENCE_WORDS_MIN = 10
/** Fewer words written as one may be any name, or one order at most, which raises no alert. */
const ONE_WORD_MIN = 6
/** The longest separator: an emoji of several characters, with blanks on either side. */
const GAP_MAX = 9
/** How many words around a list are read with it: an order may begin before it or end after it. */
const WORDS_AROUND = 24
/** Separates stretches, so that words on either side of omitted text are not read as one order. */
const BREAK = '\n.\n'
const APOSTROPHE = 39
/** A separator that no sentence needs between all its words: signs and emoji of any kind. */
const SEPARATOR = /^[^\p{L}\p{N}]+$/u
/** A sign that holds the parts of names, hosts and products together, or a blank. */
const WITHIN_NAMES = /^[.\-*\\_\s]$/
/** A sign before the first part of a path or an address. */
const PATH_START = /[/.:~@_=-]/
/** A sign that holds the words of a name together; the name of a file has two of these. */
const WITHIN_WORD = /^[.\-_]$/
/** Text beside a name that is no part of a path, file name, selector, call or option. */
const BEFORE_WORD = /^(?:[\s*"'\x60([,“‘]|$)/
const BEHIND_WORD = /^(?:[.:]?(?:\s|$)|[*"'\x60)\],;!?…”’])/
/** Signs between the parts of names, paths and addresses, or blanks. */
const WITHIN_ADDRESSES = /^(?:[.,\-*\\_/:?=&#~@%+]{1,3}|\s+)$/
const LINE_END = /[\r\n]/
/** An order to drop or tell instructions holds two of these words; hardly a line of code does. */
const ORDER_WORDS: ReadonlySet<string> = new Set([
  'ignore',
  'disregard',
  'forget',
  'previous',
  'prior',
  'instructions',
  'rules',
  'prompt',
  'your',
])
const ORDER_WORDS_MIN = 2

/** A folded text with its words. */
type Words = Layer & { tokens: readonly Token[] }

/** A run of separated words, by its first and last token; `isShort` also for mixed separators. */
type WordList = { first: number; last: number; isShort: boolean }

/** Stretches whose words are separated one by one, without the separators. */
export type ListedLayer = Layer & { isShort: boolean }

/** One layer of the short word lists in a layer, and one of the longer ones, if there are any. */
export function wordListLayers(layer: Words): ListedLayer[] {
  const lists = wordLists(layer.text, layer.tokens)
  return [true, false].flatMap((isShort) => {
    const those = lists.filter((list) => list.isShort === isShort)
    return those.length === 0 ? [] : [{ ...stretchesAround(those, layer), isShort }]
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
 * A folded text with blanks for the signs that separate words one by one: "ignore, all, rules,
 * here", "ignore" "all" "rules" "here". Every character keeps its place.
 */
export function blankSeparators(
  text: string,
  tokens: readonly Token[],
  lists: readonly WordList[] = wordLists(text, tokens),
): string {
  let blanked = ''
  let copied = 0
  for (const { first, last } of lists) {
    for (let next = first + 1; next <= last; next++) {
      const start = tokens[next]?.start ?? 0
      const { length } = gapBefore(text, tokens, next)
      blanked += text.slice(copied, start - length) + ' '.repeat(length)
      copied = start
    }
  }
  return blanked + text.slice(copied)
}

function wordLists(text: string, tokens: readonly Token[]): WordList[] {
  const alike = listsAlike(text, tokens)
  const isWithin = (list: WordList, { first, last }: WordList) =>
    first <= list.first && list.last <= last
  const mixed = mixedLists(text, tokens).filter(
    (list) => !alike.some((other) => !other.isShort && isWithin(other, list)),
  )
  if (mixed.length === 0) return alike
  const rest = alike.filter((list) => !mixed.some((other) => isWithin(list, other)))
  return [...rest, ...mixed].sort((a, b) => a.first - b.first)
}

/** Lists of words that are all separated by the same signs. */
function listsAlike(text: string, tokens: readonly Token[]): WordList[] {
  const lists: WordList[] = []
  const gaps = WORDS_MIN - 1
  // Of any `gaps` gaps in a row, one has an index that is a multiple of `gaps`.
  for (let index = gaps; index < tokens.length; index += gaps) {
    const gap = gapBefore(text, tokens, index)
    if (gap === '' || WITHIN_NAMES.test(gap)) continue
    let first = index - 1
    while (gapBefore(text, tokens, first) === gap) first--
    while (gapBefore(text, tokens, index + 1) === gap) index++
    if (index - first + 1 < WORDS_MIN || isPath(text, gap, tokens[first])) continue
    lists.push({ first, last: index, isShort: index - first + 1 < SENTENCE_WORDS_MIN })
  }
  return lists
}

/** Lists of order words with mixed separators, "ignore | all ; previous", or written as one. */
function mixedLists(text: string, tokens: readonly Token[]): WordList[] {
  const lists: WordList[] = []
  for (let index = 0; index < tokens.length; index++) {
    if (isBetweenBlanks(text, tokens[index])) continue
    if (!ORDER_WORDS.has(tokens[index]?.word ?? '')) continue
    const name = runAround(text, tokens, index, (gap) => WITHIN_WORD.test(gap))
    const isName = name.last - name.first + 1 >= ONE_WORD_MIN
    const { first, last, gaps } = isName
      ? name
      : runAround(text, tokens, index, (gap) => gap !== '')
    index = last
    const isList = isName
      ? gaps.size === 1 && standsAlone(text, tokens[first], tokens[last])
      : isMixed(gaps)
    if (!isList || last - first + 1 < WORDS_MIN) continue
    const words = new Set(tokens.slice(first, last + 1).map(({ word }) => word))
    if ([...words].filter((word) => ORDER_WORDS.has(word)).length < ORDER_WORDS_MIN) continue
    lists.push({ first, last, isShort: true })
  }
  return lists
}

/** The run of words around `index` whose gaps `isGap` accepts, and these gaps. */
function runAround(
  text: string,
  tokens: readonly Token[],
  index: number,
  isGap: (gap: string) => boolean,
): { first: number; last: number; gaps: Set<string> } {
  const gaps = new Set<string>()
  let first = index
  for (let gap = signsBefore(text, tokens, first); isGap(gap); first--) {
    gaps.add(gap)
    gap = signsBefore(text, tokens, first - 1)
  }
  let last = index
  for (let gap = signsBefore(text, tokens, last + 1); isGap(gap); last++) {
    gaps.add(gap)
    gap = signsBefore(text, tokens, last + 2)
  }
  return { first, last, gaps }
}

function isMixed(gaps: ReadonlySet<string>): boolean {
  return gaps.size > 1 && ![...gaps].every((gap) => WITHIN_ADDRESSES.test(gap))
}

/** Whether words written as one are no part of a path, a call or an address. */
function standsAlone(text: string, first: Token | undefined, last: Token | undefined): boolean {
  const { start = 0 } = first ?? {}
  const { end = 0 } = last ?? {}
  return BEFORE_WORD.test(text[start - 1] ?? '') && BEHIND_WORD.test(text.slice(end, end + 2))
}

/** Whether single blanks separate a word from both neighbours, as most do: a quick first check. */
function isBetweenBlanks(text: string, token: Token | undefined): boolean {
  const { start = 0, end = 0 } = token ?? {}
  return (
    text.charCodeAt(end) === SPACE &&
    isAlphanumeric(text.charCodeAt(end + 1)) &&
    text.charCodeAt(start - 1) === SPACE &&
    isAlphanumeric(text.charCodeAt(start - 2))
  )
}

/** The separator before a word in its line: signs, or blanks that stand for markup; else empty. */
function signsBefore(text: string, tokens: readonly Token[], index: number): string {
  const gap = gapBefore(text, tokens, index)
  return LINE_END.test(gap) ? '' : gap
}

/** The separator before a word; empty for a single blank or too long a gap. */
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
  return SEPARATOR.test(gap) ? gap : ''
}

function isPath(text: string, gap: string, first: Token | undefined): boolean {
  return /^[/+]$/.test(gap) && PATH_START.test(text[(first?.start ?? 0) - 1] ?? '')
}
