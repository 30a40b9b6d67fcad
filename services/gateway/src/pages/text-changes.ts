import { affords, type MatchBudget, matchTokens } from './token-matches.ts'

/** A piece that stayed, or one that stands in place of another. */
export type Change = { readonly same: string } | Replacement

export interface Replacement {
  readonly removed: string
  readonly added: string
}

/** To write a change is work as well, and one of thousands of words is read by nobody. */
const CHANGE_STEPS = 500

/** Each with its end, which the last may lack. */
const LINES = /[^\n]*\n|[^\n]+/g

/** Marks and joiners belong to what stands before them. */
const ATTACHED = '\\p{M}\\u00ad\\u200b-\\u200f\\u2060-\\u2064\\ufeff'

/** Of these each letter counts as a word: nothing stands between two. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('')

const WORDS = new RegExp(
  `(?:[${UNSPACED}]|[\\p{L}\\p{N}_](?:(?![${UNSPACED}])[\\p{L}\\p{N}_${ATTACHED}])*|\\n|[^\\S\\n]+|[^])[${ATTACHED}]*`,
  'gu',
)

const WORD_SIGN = /[\p{L}\p{N}\n]/u

/**
 * Tells two versions of a text apart, by lines first and within changed lines by words. All of both can
 * be put together again from the answer. Where the allowance ends, passages are replaced whole.
 */
export function compareTexts(before: string, after: string, budget: MatchBudget): Change[] {
  const lines = compareBy(LINES, before, after, budget)
  const changes = lines.flatMap((change) =>
    'same' in change || !change.removed || !change.added ? [change] : compareWords(change, budget),
  )
  return joined(changes)
}

function compareWords({ removed, added }: Replacement, budget: MatchBudget): Change[] {
  const changes = withoutScraps(compareBy(WORDS, removed, added, budget))
  if (!affords(budget, changes.length * CHANGE_STEPS)) return [{ removed, added }]
  const kept = changes.reduce((sum, part) => sum + ('same' in part ? inkOf(part.same) : 0), 0)
  // A sentence that shares half of its words with another is that sentence, changed.
  const isChanged = kept * 2 >= Math.min(inkOf(removed), inkOf(added))
  return isChanged ? changes : [{ removed, added }]
}

function inkOf(text: string): number {
  return text.replaceAll(/\s+/g, '').length
}

function compareBy(token: RegExp, before: string, after: string, budget: MatchBudget): Change[] {
  const old: string[] = before.match(token) ?? []
  const current: string[] = after.match(token) ?? []
  const places = matchTokens(old, current, budget)
  const rows = startsOf(old)
  const columns = startsOf(current)
  const changes: Change[] = []
  let [row, column] = [0, 0]
  while (row < old.length || column < current.length) {
    const fromRow = row
    while (row < old.length && places[row] === column) {
      row++
      column++
    }
    const same = before.slice(rows[fromRow], rows[row])
    const [lastRow, lastColumn] = [row, column]
    while (row < old.length && (places[row] as number) < 0) row++
    column = row < old.length ? (places[row] as number) : current.length
    const removed = before.slice(rows[lastRow], rows[row])
    const added = after.slice(columns[lastColumn], columns[column])
    if (same) changes.push({ same })
    if (removed || added) changes.push({ removed, added })
  }
  return changes
}

/** Where each token begins; the last ends where the text does. */
function startsOf(tokens: readonly string[]): Int32Array {
  const starts = new Int32Array(tokens.length + 1)
  for (const [index, { length }] of tokens.entries()) {
    starts[index + 1] = (starts[index] as number) + length
  }
  return starts
}

/** Spaces and signs between two words that were replaced go with them: it reads as one change. */
function withoutScraps(changes: readonly Change[]): Change[] {
  return joined(
    changes.map((change, index) => {
      const isScrap =
        'same' in change &&
        !WORD_SIGN.test(change.same) &&
        replacesWords(changes[index - 1]) &&
        replacesWords(changes[index + 1])
      return isScrap ? { removed: change.same, added: change.same } : change
    }),
  )
}

function replacesWords(change: Change | undefined): boolean {
  return change !== undefined && 'removed' in change && change.removed !== '' && change.added !== ''
}

/** Neighbours of one sort become one; empty ones go. */
function joined(changes: readonly Change[]): Change[] {
  const whole: Change[] = []
  for (const change of changes) {
    const last = whole.at(-1)
    if ('same' in change) {
      if (change.same === '') continue
      if (last && 'same' in last) whole[whole.length - 1] = { same: last.same + change.same }
      else whole.push(change)
      continue
    }
    if (change.removed === '' && change.added === '') continue
    const isNext = last && 'removed' in last
    if (isNext) {
      const removed = last.removed + change.removed
      whole[whole.length - 1] = { removed, added: last.added + change.added }
    } else whole.push(change)
  }
  return whole
}
