import { isAlphanumeric, SPACE } from '../../ascii.ts'
import type { Token } from '../../words/tokens.ts'
import { type Layer, LayerWriter, originAt } from '../layer.ts'

/** In so many words that are all kept apart in one way an order is complete; few sentences have as many. */
const WORDS_MIN = 4
/** So many words of an order in a row are hardly a list of what somebody looks for. */
const SENTENCE_WORDS_MIN = 10
/** Fewer that are written as one are the name of anything, and one order at most, which raises no alert. */
const ONE_WORD_MIN = 6
/** An emoji of several characters, and blanks on either side. */
const GAP_MAX = 9
/** How many words around a list are read with it: an order may begin before it and end behind it. */
const WORDS_AROUND = 24
/** So that words on either side of what is left out are not read as one order. */
const BREAK = '\n.\n'
const APOSTROPHE = 39
/** What no sentence needs between each two of its words: signs and emoji of any kind. */
const SEPARATOR = /^[^\p{L}\p{N}]+$/u
/** What holds names, hosts and products together, or is a blank. */
const WITHIN_NAMES = /^[.\-*\\_\s]$/
/** Before the first part of a path or an address. */
const PATH_START = /[/.:~@_=-]/
/** What holds the words of a name together; a name of a file has two of these. */
const WITHIN_WORD = /^[.\-_]$/
/** Before and behind a name that is no part of a path, a file name, a selector, a call or an option. */
const BEFORE_WORD = /^(?:[\s*"'\x60([,“‘]|$)/
const BEHIND_WORD = /^(?:[.:]?(?:\s|$)|[*"'\x60)\],;!?…”’])/
/** What stands between the parts of names, paths and addresses, or is blank. */
const WITHIN_ADDRESSES = /^(?:[.,\-*\\_/:?=&#~@%+]{1,3}|\s+)$/
const LINE_END = /[\r\n]/
/** Of these an order to drop instructions or to tell them holds two, and hardly a line of code. */
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

/** Words that are each kept apart, from the first to the last of them; few, or by many signs as in code. */
type WordList = { first: number; last: number; isShort: boolean }

/** Stretches with words that are each set apart, read without what does so. */
export type ListedLayer = Layer & { isShort: boolean }

/** The stretches of a layer with words of which each is kept apart from the next by signs. */
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
 * A folded text with blanks between words of which each is kept apart from the next by signs:
 * "ignore, all, rules, here", "ignore" "all" "rules" "here". Every character keeps its place.
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

/** Words that are all kept apart by the same signs. */
function listsAlike(text: string, tokens: readonly Token[]): WordList[] {
  const lists: WordList[] = []
  const gaps = WORDS_MIN - 1
  // So many gaps in a row hold one of every so many.
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

/** Words of an order kept apart by signs of several kinds, "ignore | all ; previous = rules", or written as one. */
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

/** The words around one that such signs keep apart, and which signs these are. */
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

/** Whether what is written as one word is no part of a path, a call or an address. */
function standsAlone(text: string, first: Token | undefined, last: Token | undefined): boolean {
  const { start = 0 } = first ?? {}
  const { end = 0 } = last ?? {}
  return BEFORE_WORD.test(text[start - 1] ?? '') && BEHIND_WORD.test(text.slice(end, end + 2))
}

/** Most words are, which is quicker to see than whether a word is one of many. */
function isBetweenBlanks(text: string, token: Token | undefined): boolean {
  const { start = 0, end = 0 } = token ?? {}
  return (
    text.charCodeAt(end) === SPACE &&
    isAlphanumeric(text.charCodeAt(end + 1)) &&
    text.charCodeAt(start - 1) === SPACE &&
    isAlphanumeric(text.charCodeAt(start - 2))
  )
}

/** What keeps a word apart from the one before it in its line: signs, or blanks that stand for markup. */
function signsBefore(text: string, tokens: readonly Token[], index: number): string {
  const gap = gapBefore(text, tokens, index)
  return LINE_END.test(gap) ? '' : gap
}

/** What keeps a word apart from the one before it; nothing where that is a single blank or too much. */
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
