import { diffArrays } from 'diff'
import { type NamesLeft, newNamesLeft } from './visible-text.ts'

/** A piece that stayed, or one that replaces another. */
export type Change = { readonly same: string } | Replacement

export interface Replacement {
  readonly removed: string
  readonly added: string
}

/** One page's allowance, shared by all the texts that it compares. */
export interface ComparisonBudget {
  workLeft: number
  /** The names left for hidden characters that were changed. */
  names: NamesLeft
}

/**
 * Less than 10 ms, because any two versions can be asked for, and each pair is a page of its own:
 * finding n edits takes Myers' algorithm about n squared.
 */
const WORK_MAX = 40_000

export function newComparisonBudget(): ComparisonBudget {
  return { workLeft: WORK_MAX, names: newNamesLeft() }
}

/** Lines with their ends, which the last may lack. */
const LINES = /[^\n]*\n|[^\n]+/g

/** Marks and joiners belong to the character before them. */
const ATTACHED = '\\p{M}\\u00ad\\u200b-\\u200f\\u2060-\\u2064\\ufeff'

/** In these scripts each letter counts as a word, because nothing stands between words. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('')

const WORDS = new RegExp(
  `(?:[${UNSPACED}]|[\\p{L}\\p{N}_](?:(?![${UNSPACED}])[\\p{L}\\p{N}_${ATTACHED}])*|\\n|[^\\S\\n]+|[^])[${ATTACHED}]*`,
  'gu',
)

const WORD_SIGN = /[\p{L}\p{N}\n]/u

/**
 * Compares two versions of a text, first by lines and within changed lines by words. Both texts can
 * be put together again from the result. Once the allowance is used up, passages are replaced
 * whole.
 */
export function compareTexts(before: string, after: string, budget: ComparisonBudget): Change[] {
  const lines = compareBy(LINES, before, after, budget)
  const changes = lines.flatMap((change) =>
    'same' in change || !change.removed || !change.added ? [change] : compareWords(change, budget),
  )
  return joined(changes)
}

function compareWords({ removed, added }: Replacement, budget: ComparisonBudget): Change[] {
  const changes = withoutScraps(compareBy(WORDS, removed, added, budget))
  const kept = changes.reduce((sum, part) => sum + ('same' in part ? inkOf(part.same) : 0), 0)
  // A sentence that shares half of its words with another counts as that sentence, changed.
  const isChanged = kept * 2 >= Math.min(inkOf(removed), inkOf(added))
  return isChanged ? changes : [{ removed, added }]
}

function inkOf(text: string): number {
  return text.replaceAll(/\s+/g, '').length
}

function compareBy(
  token: RegExp,
  before: string,
  after: string,
  budget: ComparisonBudget,
): Change[] {
  const maxEditLength = Math.floor(Math.sqrt(budget.workLeft))
  const parts = diffArrays(before.match(token) ?? [], after.match(token) ?? [], { maxEditLength })
  const changed = (parts ?? []).filter(({ added, removed }) => added || removed)
  const edits = parts ? changed.reduce((sum, { count }) => sum + count, 0) : maxEditLength
  budget.workLeft -= edits ** 2
  if (!parts) return [{ removed: before, added: after }]
  return joined(
    parts.map(({ value, added, removed }) => {
      const text = value.join('')
      if (added) return { removed: '', added: text }
      return removed ? { removed: text, added: '' } : { same: text }
    }),
  )
}

/** Spaces and signs between two replaced words are replaced too, so that it reads as one change. */
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

/** Joins neighbours of one kind, and drops empty ones. */
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
