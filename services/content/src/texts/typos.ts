import { TYPO_LETTERS } from '@stoa/shared/contracts/search.js'

/** How many typos the index forgives in a word: none if the word is short or holds a digit. */
export function typosAllowed(word: string): number {
  if (word.length < TYPO_LETTERS.one || /\p{N}/u.test(word)) return 0
  return word.length < TYPO_LETTERS.two ? 1 : 2
}

/**
 * Whether at most `typos` letters are missing, added, exchanged, or swapped with the next; the
 * first letter must be right. Only cells near the diagonal can tell (Ukkonen 1985), so the cost
 * grows only with the length of the words.
 */
export function isTypoOf(wanted: string, word: string, typos: number): boolean {
  if (typos === 0 || Math.abs(wanted.length - word.length) > typos) return false
  if (wanted.charCodeAt(0) !== word.charCodeAt(0)) return false
  let before: number[] = []
  let last = Array.from({ length: word.length + 1 }, (_, i) => i)
  let row: number[] = []
  for (let i = 1; i <= wanted.length; i++) {
    const from = Math.max(1, i - typos)
    const to = Math.min(word.length, i + typos)
    row[from - 1] = from === 1 ? i : OUTSIDE
    row[to + 1] = OUTSIDE
    let least = at(row, from - 1)
    for (let j = from; j <= to; j++) {
      const same = wanted.charCodeAt(i - 1) === word.charCodeAt(j - 1)
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1))
      const isSwapped =
        wanted.charCodeAt(i - 1) === word.charCodeAt(j - 2) &&
        wanted.charCodeAt(i - 2) === word.charCodeAt(j - 1)
      if (i > 1 && j > 1 && isSwapped) cost = Math.min(cost, at(before, j - 2) + 1)
      row[j] = cost
      least = Math.min(least, cost)
    }
    if (least > typos) return false
    const spare = before
    before = last
    last = row
    row = spare
  }
  return at(last, word.length) <= typos
}

/** A cell too far from the diagonal to be reached with so few typos. */
const OUTSIDE = Number.POSITIVE_INFINITY

function at(row: number[], index: number): number {
  return row[index] as number
}
