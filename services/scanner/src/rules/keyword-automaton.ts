import { SPACE } from '../ascii.ts'

/** Where a keyword ends in the searched text (UTF-16 offset, exclusive). */
export type KeywordHit = { keyword: number; end: number }

const ASCII = 128
/** The number of UTF-16 code units. */
const UNITS = 65_536
/** With more columns, the table would not stay in the processor's cache. */
const COLUMN_MAX = 512
const LINE_BREAKS_AND_TABS = [9, 10, 13]
const STATES_MAX = 65_536

/**
 * Aho-Corasick: one pass finds every occurrence of every keyword, in time linear in the text plus
 * the number of hits. Upper case is read as lower case; a character that occurs in no keyword leads
 * back to the root. A space matches any run of blanks, because a text may be wrapped anywhere.
 * (Aho, Corasick 1975.)
 *
 * Nearly all of the time is spent waiting for the table in memory. So the table has columns only
 * for the characters of keywords and is small enough for the processor's cache.
 */
export class KeywordAutomaton {
  private readonly columns: Uint16Array
  private readonly width: number
  private readonly next: Uint16Array
  private readonly outputs: (readonly number[])[]
  private readonly hasOutput: Uint8Array

  /** Throws for more than 65,535 characters in all, and for more than 512 different ones. */
  constructor(keywords: readonly string[]) {
    const { columns, width } = columnsOf(keywords)
    const { next, outputs } = build(keywords, columns, width)
    this.columns = columns
    this.width = width
    this.next = next
    this.outputs = outputs
    this.hasOutput = Uint8Array.from(outputs, (ended) => Math.min(ended.length, 1))
  }

  /** Every hit in reading order, until there are at least `limit`. */
  find(text: string, limit: number): KeywordHit[] {
    const hits: KeywordHit[] = []
    const { columns, width, next, outputs, hasOutput } = this
    const blank = columns[SPACE] ?? 0
    let state = 0
    let before = 0
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      const column = code < columns.length ? (columns[code] ?? 0) : 0
      if (column === blank && before === blank && blank > 0) continue
      before = column
      state = column === 0 ? 0 : (next[state * width + column] ?? 0)
      if (hasOutput[state] === 0) continue
      for (const keyword of outputs[state] ?? []) hits.push({ keyword, end: index + 1 })
      if (hits.length >= limit) return hits
    }
    return hits
  }
}

/** A column for each character of a keyword, in either case; 0 for all others. */
function columnsOf(keywords: readonly string[]) {
  const units = new Set(keywords.flatMap((keyword) => keyword.toLowerCase().split('')))
  const isAscii = [...units].every((unit) => unit.charCodeAt(0) < ASCII)
  const columns = new Uint16Array(isAscii ? ASCII : UNITS)
  let width = 1
  for (const unit of units) {
    if (width > COLUMN_MAX) throw new Error('keywords of too many different characters')
    columns[unit.charCodeAt(0)] = width
    const upper = unit.toUpperCase()
    if (upper.toLowerCase() === unit) columns[upper.charCodeAt(0)] = width
    width++
  }
  for (const code of LINE_BREAKS_AND_TABS) columns[code] = columns[SPACE] ?? 0
  return { columns, width }
}

function build(keywords: readonly string[], columns: Uint16Array, width: number) {
  const size = keywords.reduce((sum, keyword) => sum + keyword.length, 1)
  if (size > STATES_MAX) throw new Error(`keywords of ${size} characters are too many`)
  // No keyword leads back to the root, so 0 means that there is no next state yet.
  const next = new Uint16Array(size * width)
  const outputs: number[][] = [[]]
  keywords.forEach((keyword, id) => {
    let state = 0
    for (let index = 0; index < keyword.length; index++) {
      const slot = state * width + (columns[keyword.charCodeAt(index)] ?? 0)
      if (next[slot] === 0) {
        next[slot] = outputs.length
        outputs.push([])
      }
      state = next[slot] ?? 0
    }
    outputs[state]?.push(id)
  })
  linkFailures(next, outputs, width)
  return { next: next.slice(0, outputs.length * width), outputs }
}

function linkFailures(next: Uint16Array, outputs: number[][], width: number): void {
  const failure = new Uint16Array(outputs.length)
  const queue: number[] = []
  for (let column = 1; column < width; column++) {
    const child = next[column] ?? 0
    if (child > 0) queue.push(child)
  }
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head] ?? 0
    const fallback = failure[state] ?? 0
    outputs[state]?.push(...(outputs[fallback] ?? []))
    for (let column = 1; column < width; column++) {
      const slot = state * width + column
      const child = next[slot] ?? 0
      const viaFallback = next[fallback * width + column] ?? 0
      if (child === 0) {
        next[slot] = viaFallback
      } else {
        failure[child] = viaFallback
        queue.push(child)
      }
    }
  }
}
