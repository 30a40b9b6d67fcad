import {
  AMPERSAND,
  BACKSLASH,
  BACKTICK,
  BRACKET_OPEN,
  DOT,
  EXCLAMATION,
  GREATER,
  HYPHEN,
  isDigit,
  LESS,
  NEWLINE,
  PAREN_CLOSE,
  PLUS,
  SPACE,
  STAR,
  TAB,
  UNDERSCORE,
} from '../ascii.ts'

const LENGTH_MAX = 64 * 1024
const LINE_CONTAINERS_MAX = 12
const DELIMITER_RUNS_MAX = 1_500
const LINE_DELIMITERS_MAX = 300
const BRACKETS_MAX = 1_500
const LINE_BRACKETS_MAX = 200
const CONTAINERS_MAX = 800
const BACKTICKS_MAX = 2_000

/**
 * The most CommonMark parser steps that all fields of one item may cost together. A step takes 10
 * to 60 µs (measured by hand), so all of them take about a tenth of a second, also in a new worker.
 */
const STEPS_MAX = 3_000

/** The cost of one call of the parser, in steps. */
export const PARSER_STEPS = 5

/** The parser steps that an item has left. */
export type MarkdownEffort = { stepsLeft: number }

export function newMarkdownEffort(): MarkdownEffort {
  return { stepsLeft: STEPS_MAX }
}

/**
 * How many steps the CommonMark parser takes for this text, counted in one pass before it runs: one
 * for each line, each container open on it and each character that may begin a construct. Infinite
 * for text over 64 Ki units, for too many constructs, and if the cost would grow quadratically with
 * the containers on a line or the emphasis or bracket runs in a paragraph.
 */
export function markdownSteps(text: string): number {
  if (text.length > LENGTH_MAX) return Number.POSITIVE_INFINITY
  const total = { delimiters: 0, brackets: 0, containers: 0, backticks: 0, others: 0 }
  const line = { delimiters: 0, brackets: 0, containers: 0 }
  const nest = new Nest()
  let leading = true
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === NEWLINE) {
      // Emphasis and brackets reach across the lines of a paragraph: only a blank line ends them.
      if (text.charCodeAt(index + 1) === NEWLINE) {
        line.delimiters = 0
        line.brackets = 0
      }
      line.containers = 0
      leading = true
      nest.endLine(index + 1)
      continue
    }
    if (code === STAR || code === UNDERSCORE) {
      line.delimiters++
      total.delimiters++
    } else if (code === BRACKET_OPEN || code === EXCLAMATION) {
      line.brackets++
      total.brackets++
    } else if (code === BACKTICK) total.backticks++
    else if (code === LESS || code === BACKSLASH || code === AMPERSAND) total.others++
    if (leading && isContainerMark(code)) {
      line.containers++
      total.containers++
      nest.open(index)
      if (line.containers > LINE_CONTAINERS_MAX && !isRule(text, index)) {
        return Number.POSITIVE_INFINITY
      }
    } else if (leading && code !== SPACE && code !== TAB && !isDigit(code)) {
      leading = false
      nest.begin(index)
    }
    if (line.delimiters > LINE_DELIMITERS_MAX || line.brackets > LINE_BRACKETS_MAX) {
      return Number.POSITIVE_INFINITY
    }
  }
  nest.endLine(text.length)
  const isBounded =
    total.delimiters <= DELIMITER_RUNS_MAX &&
    total.brackets <= BRACKETS_MAX &&
    total.containers <= CONTAINERS_MAX &&
    total.backticks <= BACKTICKS_MAX
  if (!isBounded) return Number.POSITIVE_INFINITY
  return nest.steps + total.delimiters + total.brackets + total.backticks + total.others
}

/** Counts the lines and the containers open on each, because the parser visits all of these. */
class Nest {
  steps = 0
  private lineStart = 0
  /** Columns of the markers of the open containers, in ascending order. */
  private readonly columns: number[] = []

  /** A container begins here. */
  open(index: number): void {
    this.begin(index)
    this.columns.push(index - this.lineStart)
  }

  /** Content at a column closes all containers that began at this column or further right. */
  begin(index: number): void {
    const column = index - this.lineStart
    while ((this.columns.at(-1) ?? -1) >= column) this.columns.pop()
  }

  endLine(nextStart: number): void {
    this.steps += 1 + this.columns.length
    this.lineStart = nextStart
  }
}

/** `>`, `-`, `+`, `*` and the dot or bracket after a number open a container. */
function isContainerMark(code: number): boolean {
  return (
    code === GREATER ||
    code === HYPHEN ||
    code === PLUS ||
    code === STAR ||
    code === DOT ||
    code === PAREN_CLOSE
  )
}

/** A run of hyphens without spaces is a rule or a table line, not a nest of lists. */
function isRule(text: string, index: number): boolean {
  return text[index] === text[index - 1] && text[index] !== '>'
}
