/** Like the settings of the index: see `typoTolerance` in search's index-settings.ts. */
const ONE_TYPO_LENGTH = 4
const TWO_TYPOS_LENGTH = 8

/** How many typos are forgiven in a word: none where it is short or holds a digit. */
export function typosAllowed(word: string): number {
  if (word.length < ONE_TYPO_LENGTH || /\p{N}/u.test(word)) return 0
  return word.length < TWO_TYPOS_LENGTH ? 1 : 2
}

/** Whether so many letters at most are missing, added, exchanged, or swapped with the next. */
export function isTypoOf(wanted: string, word: string, typos: number): boolean {
  if (typos === 0 || Math.abs(wanted.length - word.length) > typos) return false
  if (wanted.charCodeAt(0) !== word.charCodeAt(0)) return false
  let before: number[] = []
  let last = Array.from({ length: word.length + 1 }, (_, i) => i)
  for (let i = 1; i <= wanted.length; i++) {
    const row = [i]
    for (let j = 1; j <= word.length; j++) {
      const same = wanted.charCodeAt(i - 1) === word.charCodeAt(j - 1)
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1))
      const isSwapped =
        wanted.charCodeAt(i - 1) === word.charCodeAt(j - 2) &&
        wanted.charCodeAt(i - 2) === word.charCodeAt(j - 1)
      if (i > 1 && j > 1 && isSwapped) cost = Math.min(cost, at(before, j - 2) + 1)
      row.push(cost)
    }
    if (Math.min(...row) > typos) return false
    before = last
    last = row
  }
  return at(last, word.length) <= typos
}

function at(row: number[], index: number): number {
  return row[index] as number
}
