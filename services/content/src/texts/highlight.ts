import { QUERY_PARTS_MAX } from '@stoa/shared/contracts/search.js'
import { plainLetters } from '@stoa/shared/texts/plain-letters.js'
import {
  STOP_WORDS,
  UNIT,
  withoutExcluded,
  withoutVersionMarks,
} from '@stoa/shared/texts/search-words.js'
import { eachSpelling, isFoundBy, spelledAlike } from '@stoa/shared/texts/spellings.js'
import { cutsOf, isCut, isHash } from './hashes.ts'
import { afterTarget, hiddenMarkup, type Span, withoutHidden } from './hidden-markup.ts'
import { isTypoOf, typosAllowed } from './typos.ts'
import { ANY_WORD, eachWord, type Likeness, likenessOf, unspacedRuns } from './words-in.ts'

const SNIPPET_CHARACTERS = 240
/** How much of a snippet comes before its first match. */
const LEAD_CHARACTERS = 60
const MATCHES_MAX = 200
/** Each wanted word or run has a bit of its own. */
const WANTED_MAX = 32
/**
 * For all texts of an answer, at half a µs each: comparing blocks all other answers, and a hundred
 * bodies written to be slow would take seconds. Beyond this limit, no misspelt word and no hash
 * that is cut short is marked.
 */
const COMPARISONS_MAX = 60_000

/** What a query looks for in a text. */
export interface Wanted {
  /** What the wanted words, and the words that stand for them, look like. */
  like: Likeness
  /** Runs searched for exactly as they are, because their script does not separate words. */
  runs: string[]
  /** Whether the query has a word that others spell differently. */
  hasSpellings: boolean
  /** Whether the query has a name in camelCase, which others write with signs between its words. */
  hasCamelCase: boolean
  /** The number of the wanted word that a word of the text stands for; -1 for none. */
  find(word: string): number
}

interface Match extends Span {
  wanted: number
}

/**
 * The words of a query, to be marked where they stand in a text: as whole words in any case and
 * with any accents, and misspelt as far as the index forgives it, if the first letter is right.
 * Undefined if there is nothing to mark.
 */
export function wantedWords(q: string): Wanted | undefined {
  const text = withoutExcluded(withoutVersionMarks(spelledAlike(q)))
  const runs = unspacedRuns(text).slice(0, QUERY_PARTS_MAX)
  const words = tellingWords(text).slice(0, WANTED_MAX - runs.length)
  if (words.length + runs.length === 0) return undefined
  const typos = words.map(typosAllowed)
  const hexes = words.map((word) => isHash(word))
  const pairs = new Map([...pairsOf(words), ...namesOf(text, words)])
  const seen = new Map<string, number>()
  let comparisonsLeft = COMPARISONS_MAX
  const look = (plain: string) => {
    const exact = pairs.get(plain) ?? exactly(words, plain)
    if (exact >= 0 || VERSION.test(plain) || comparisonsLeft <= 0) return exact
    comparisonsLeft -= words.length
    const isHex = hexes.includes(true) && isHash(plain)
    const isMeant = (wanted: string, i: number) =>
      isHex && hexes[i] ? isCut(wanted, plain) : isTypoOf(wanted, plain, typos[i] as number)
    return words.findIndex(isMeant)
  }
  const find = (word: string) => {
    let number = seen.get(word)
    if (number === undefined) {
      number = look(folded(word))
      seen.set(word, number)
    }
    return number
  }
  const numbers = words.filter((word) => NUMBER.test(word))
  const versions = numbers.map((number) => `v${number}`)
  return {
    like: likenessOf(
      [...words, ...versions, ...pairs.keys(), ...words.flatMap(cutsOf)],
      typosAllowed,
    ),
    runs,
    hasSpellings: words.some(isFoundBy),
    hasCamelCase: CAMEL_CASE.test(text),
    find,
  }
}

/** The words of a query without stop words, unless it has no others. */
function tellingWords(text: string): string[] {
  const found = new Set<string>()
  eachWord(text, ANY_WORD, (start, end) => {
    found.add(folded(text.slice(start, end)))
    return true
  })
  const telling = [...found].filter((word) => !STOP_WORDS.has(word))
  return telling.length > 0 ? telling : [...found]
}

const NUMBER = /^\d+$/
const IS_UNIT = new RegExp(`^${UNIT}$`)

const IS_NAME = /^[a-z]{2,}$/

/**
 * Pairs that the index also has as one word, which means the first: `16gib`, `python3`, `tlsv1`.
 */
function pairsOf(words: string[]): [string, number][] {
  return words.flatMap((word, i): [string, number][] => {
    const next = words[i + 1] ?? ''
    if (NUMBER.test(word)) return IS_UNIT.test(next) ? [[word + next, i]] : []
    if (!IS_NAME.test(word) || !NUMBER.test(next)) return []
    return ['', 'v'].map((between) => [word + between + next, i])
  })
}

const CAMEL_CASE = /[a-z][A-Z]/
const BETWEEN = /[-_.]/g
/**
 * A name of several words with signs between them. It must begin where a run of letters begins:
 * trying each place in a long run, as in a pasted hash or blob, would take seconds.
 */
const SEVERAL = /(?<![a-z\d])[a-z\d]+(?:[-_.][a-z\d]+)+/gi

/**
 * Each such name as one word, as in camelCase, which stands for the first wanted word in the name.
 */
function namesOf(text: string, words: string[]): [string, number][] {
  return (text.match(SEVERAL) ?? []).flatMap((name): [string, number][] => {
    const parts = folded(name).split(BETWEEN)
    const first = words.findIndex((word) => parts.includes(word))
    return first < 0 ? [] : [[parts.join(''), first]]
  })
}

/** A version stands for its number too, as in the index. */
const VERSION = /^v\d+$/

function exactly(words: string[], word: string): number {
  const exact = words.indexOf(word)
  if (exact >= 0) return exact
  return VERSION.test(word) ? words.indexOf(word.slice(1)) : -1
}

function firstOf(words: string): string {
  const end = words.indexOf(' ')
  return end < 0 ? words : words.slice(0, end)
}

/** A word without case and accents, and in plain letters, as the index compares. */
function folded(word: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what ASCII is.
  if (/^[\x00-\x7f]*$/.test(word)) return word.toLowerCase()
  return plainLetters(word).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

function matchesIn(
  text: string,
  { like, runs, hasSpellings, hasCamelCase, find }: Wanted,
): Match[] {
  const matches: Match[] = []
  const look = (start: number, end: number, word: string) => {
    const wanted = find(word)
    if (wanted >= 0) matches.push({ start, end, wanted })
    return matches.length < MATCHES_MAX
  }
  eachWord(text, like, (start, end) => look(start, end, text.slice(start, end)))
  if (hasSpellings) eachSpelling(text, (start, end, word) => look(start, end, firstOf(word)))
  if (hasCamelCase) {
    for (const { 0: name, index } of text.matchAll(SEVERAL)) {
      if (!look(index, index + name.length, name.replaceAll(BETWEEN, ''))) break
    }
  }
  runs.forEach((run, i) => {
    for (let at = text.indexOf(run); at >= 0; at = text.indexOf(run, at + run.length)) {
      matches.push({ start: at, end: at + run.length, wanted: WANTED_MAX - 1 - i })
      if (matches.length >= 2 * MATCHES_MAX) break
    }
  })
  return matches.sort((a, b) => a.start - b.start || b.end - a.end)
}

/** The text as HTML in which only `<mark>` is markup; undefined where nothing matches. */
export function highlight(text: string, wanted: Wanted): string | undefined {
  const matches = matchesIn(text, wanted)
  return matches.length === 0
    ? undefined
    : marked(text, { start: 0, end: text.length }, matches, [])
}

/**
 * The part of a long Markdown text in which most of the wanted words are close together, marked as
 * by `highlight`, without the addresses of its links; undefined if nothing matches.
 */
export function snippet(text: string, wanted: Wanted): string | undefined {
  const matches = shownIn(text, matchesIn(text, wanted))
  if (matches.length === 0) return undefined
  const isLong = text.length > SNIPPET_CHARACTERS
  const lead = isLong ? wordAfter(text, bestStart(matches) - LEAD_CHARACTERS) : 0
  const start = afterTarget(text, lead)
  const hidden = hiddenMarkup(text, start, SNIPPET_CHARACTERS)
  const end = wordBefore(text, start, endOf(start, hidden))
  const part = marked(text, { start, end }, matches, hidden)
  return `${start > 0 ? '…' : ''}${part}${end < text.length ? '…' : ''}`
}

/** The matches that are not within the address of a link. */
function shownIn(text: string, matches: Match[]): Match[] {
  if (!text.includes('](')) return matches
  return matches.filter(({ start }) => afterTarget(text, start) === start)
}

/** The end of a snippet from `start`, whose hidden spans do not count. */
function endOf(start: number, hidden: Span[]): number {
  let end = start + SNIPPET_CHARACTERS
  for (const span of hidden) {
    if (span.end <= start) continue
    if (span.start >= end) break
    end += span.end - Math.max(start, span.start)
  }
  return end
}

/** The start of the window that shows the most different wanted words. */
function bestStart(matches: Match[]): number {
  let best = { words: 0, start: 0 }
  matches.forEach(({ start }, first) => {
    const end = start + SNIPPET_CHARACTERS - LEAD_CHARACTERS
    let seen = 0
    for (let i = first; i < matches.length; i++) {
      const match = matches[i] as Match
      if (match.end > end) break
      seen |= 1 << match.wanted
    }
    const words = bitsOf(seen)
    if (words > best.words || first === 0) best = { words, start }
  })
  return best.start
}

function bitsOf(number: number): number {
  let bits = 0
  for (let rest = number; rest !== 0; rest &= rest - 1) bits++
  return bits
}

/** The next place where a word begins, or `from` if that is far. */
function wordAfter(text: string, from: number): number {
  if (from <= 0) return 0
  const space = text.slice(from, from + LEAD_CHARACTERS / 2).search(/\s/)
  return space < 0 ? withinText(text, from) : from + space + 1
}

/** The last place before `to` where a word ends, or `to` if that is far. */
function wordBefore(text: string, from: number, to: number): number {
  if (to >= text.length) return text.length
  const part = text.slice(from, to)
  const end = part.search(/\s\S*$/)
  return end < part.length / 2 ? withinText(text, to) : from + end
}

/** Moves a place in the middle of a surrogate pair to before the pair. */
function withinText(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at
}

function marked(text: string, part: Span, matches: Match[], hidden: Span[]): string {
  let html = ''
  let at = part.start
  for (const { start, end } of matches) {
    if (start < at || end > part.end) continue
    const before = withoutHidden(text, { start: at, end: start }, hidden)
    html += `${escaped(before)}<mark>${escaped(text.slice(start, end))}</mark>`
    at = end
  }
  return html + escaped(withoutHidden(text, { start: at, end: part.end }, hidden))
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] as string)
}
