/** How many steps the comparisons of one page may take together: each is some five nanoseconds. */
const STEPS_MAX = 3_000_000

/** Filling one cell of a table is a step. Looking a token up costs about as much as this many, and */
const LOOKUP_STEPS = 20
/** beginning another comparison as this many. */
const START_STEPS = 1000

/** Pairs of tokens in the largest table: two bytes each. */
const CELLS_MAX = 500_000

/** One page's allowance, shared by all the texts that it compares. */
export interface MatchBudget {
  stepsLeft: number
}

export function newMatchBudget(): MatchBudget {
  return { stepsLeft: STEPS_MAX }
}

interface Sides {
  /** Equal tokens have equal numbers. */
  readonly before: Int32Array
  readonly after: Int32Array
  /** Of each token before, where it stands after; -1 where it does not. */
  readonly places: Int32Array
}

/** From and up to, on both sides. */
interface Range {
  readonly before: readonly [number, number]
  readonly after: readonly [number, number]
}

/**
 * Finds which tokens of one text stand in the other, in the same order: of each of `before` its place in
 * `after`, or -1.
 *
 * 1. What both begin and end with matches.
 * 2. Of a few tokens, the longest common subsequence is found by the table.
 * 3. Of many, those that each side has once are anchors, and what lies between two is matched alone.
 *
 * Where there is no anchor, or the allowance is used up, nothing more matches: no two texts take longer
 * than the allowance.
 */
export function matchTokens(
  before: readonly string[],
  after: readonly string[],
  budget: MatchBudget,
): Int32Array {
  const places = new Int32Array(before.length).fill(-1)
  if (!affords(budget, START_STEPS + (before.length + after.length) * LOOKUP_STEPS)) return places
  const numbers = new Map<string, number>()
  const numberOf = (token: string) => {
    const known = numbers.get(token)
    if (known !== undefined) return known
    numbers.set(token, numbers.size)
    return numbers.size - 1
  }
  const sides = {
    before: Int32Array.from(before, numberOf),
    after: Int32Array.from(after, numberOf),
    places,
  }
  matchRange(sides, { before: [0, before.length], after: [0, after.length] }, budget)
  return places
}

/** Takes the steps from the allowance, if it has so many left. */
export function affords(budget: MatchBudget, steps: number): boolean {
  if (steps > budget.stepsLeft) return false
  budget.stepsLeft -= steps
  return true
}

function matchRange(sides: Sides, whole: Range, budget: MatchBudget): void {
  const inner = matchEnds(sides, whole)
  const rows = inner.before[1] - inner.before[0]
  const columns = inner.after[1] - inner.after[0]
  if (rows === 0 || columns === 0) return
  const cells = rows * columns
  if (cells <= CELLS_MAX && affords(budget, cells)) {
    matchByTable(sides, inner)
    return
  }
  if (!affords(budget, (rows + columns) * LOOKUP_STEPS)) return
  let { before, after } = inner
  for (const [row, column] of anchors(sides, inner)) {
    sides.places[row] = column
    matchRange(sides, { before: [before[0], row], after: [after[0], column] }, budget)
    before = [row + 1, before[1]]
    after = [column + 1, after[1]]
  }
  // Without an anchor it would be the same again.
  if (before[0] > inner.before[0]) matchRange(sides, { before, after }, budget)
}

/** Matches what the range begins and ends with on both sides, and answers what is left of it. */
function matchEnds({ before, after, places }: Sides, range: Range): Range {
  let [row, lastRow] = range.before
  let [column, lastColumn] = range.after
  while (row < lastRow && column < lastColumn && before[row] === after[column]) {
    places[row++] = column++
  }
  while (row < lastRow && column < lastColumn && before[lastRow - 1] === after[lastColumn - 1]) {
    places[--lastRow] = --lastColumn
  }
  return { before: [row, lastRow], after: [column, lastColumn] }
}

/** Each cell holds how many tokens the rest of both sides has in common. */
function matchByTable({ before, after, places }: Sides, range: Range): void {
  const [top, bottom] = range.before
  const [left, right] = range.after
  const width = right - left + 1
  const table = new Uint16Array((bottom - top + 1) * width)
  const cell = (row: number, column: number) => (row - top) * width + column - left
  const common = (row: number, column: number) => table[cell(row, column)] ?? 0
  for (let row = bottom - 1; row >= top; row--) {
    for (let column = right - 1; column >= left; column--) {
      table[cell(row, column)] =
        before[row] === after[column]
          ? common(row + 1, column + 1) + 1
          : Math.max(common(row + 1, column), common(row, column + 1))
    }
  }
  let row = top
  let column = left
  while (row < bottom && column < right) {
    if (before[row] === after[column]) places[row++] = column++
    else if (common(row + 1, column) >= common(row, column + 1)) row++
    else column++
  }
}

type Anchor = readonly [row: number, column: number]

/** The longest chain of tokens that each side of the range has once, in the order of both. */
function anchors({ before, after }: Sides, range: Range): Anchor[] {
  const rows = onlyPlaces(before, range.before)
  const columns = onlyPlaces(after, range.after)
  // The chain of each length so far that ends furthest to the left, by its last anchor.
  const ends: Chain[] = []
  for (const [token, row] of rows) {
    const column = columns.get(token) ?? -1
    if (row < 0 || column < 0) continue
    const length = chainsBefore(ends, column)
    ends[length] = { anchor: [row, column], previous: ends[length - 1] }
  }
  const chain: Anchor[] = []
  for (let end = ends.at(-1); end; end = end.previous) chain.push(end.anchor)
  return chain.reverse()
}

interface Chain {
  readonly anchor: Anchor
  readonly previous: Chain | undefined
}

/** Of each token its one place, in order of those; -1 where it has several. */
function onlyPlaces(tokens: Int32Array, [from, to]: readonly [number, number]) {
  const places = new Map<number, number>()
  for (let at = from; at < to; at++) {
    const token = tokens[at] as number
    places.set(token, places.has(token) ? -1 : at)
  }
  return places
}

/** How many of the chains end before the column: the ends lie in order. */
function chainsBefore(ends: readonly Chain[], column: number): number {
  let [low, high] = [0, ends.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ends[middle]?.anchor[1] ?? 0) < column) low = middle + 1
    else high = middle
  }
  return low
}
