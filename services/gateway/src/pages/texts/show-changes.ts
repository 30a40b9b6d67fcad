import { type HtmlPart, html, type SafeHtml } from '../html.ts'
import { count } from '../parts.ts'
import {
  type Change,
  type ComparisonBudget,
  compareTexts,
  newComparisonBudget,
  type Replacement,
} from './text-changes.ts'
import { INVISIBLE, type NamesLeft, visibleText } from './visible-text.ts'

/** How many unchanged lines are shown before and after changed ones. */
const LINES_AROUND = 2

/** Fewer unchanged lines than this are not worth a line that says they are left out. */
const LINES_OMITTED_MIN = 3

/** In longer changes the names of characters would be many times the text. */
const NAMED_LENGTH_MAX = 1000

/** Texts of one document by name; a missing text counts as empty. */
type Texts = Readonly<Record<string, string>>

interface Look {
  readonly heading: (name: string) => SafeHtml
  /** How the words of a text are shown; unchanged by default. */
  readonly show?: (text: string) => HtmlPart
}

/** How one document differs from an earlier one, text by text; null if it does not. */
export function showChangedParts(before: Texts, after: Texts, look: Look): SafeHtml | null {
  const textOf = (texts: Texts, name: string) =>
    (Object.hasOwn(texts, name) ? texts[name] : '') ?? ''
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])]
  const changed = names.filter((name) => textOf(before, name) !== textOf(after, name))
  if (changed.length === 0) return null
  const budget = newComparisonBudget()
  return html`<p class="note">The source of each changed part: <del>what is gone</del> and <ins>what is new</ins>.</p>
${changed.map(
  (name) => html`<section class="part">${look.heading(name)}
${showChanges(textOf(before, name), textOf(after, name), budget, look.show)}</section>\n`,
)}`
}

/**
 * A list as a text, one line for each value. The last has its end too; without it, the value would
 * differ from the same one before another.
 */
export function linesOf(values: readonly string[]): string {
  return values.map((value) => `${value}\n`).join('')
}

/** Like `linesOf`, for lists whose order says nothing: only values that are gone or new differ. */
export function sortedLinesOf(values: readonly string[]): string {
  return linesOf(values.toSorted())
}

/** How a text changed, in its source: what is gone is `<del>`, what is new `<ins>`. */
export function showChanges(
  before: string,
  after: string,
  budget: ComparisonBudget,
  show: (text: string) => HtmlPart = asItIs,
): SafeHtml {
  const changes = compareTexts(before, after, budget)
  return html`<pre class="plain changes" lang="">${changes.map((change, index) =>
    'same' in change ? kept(changes, index, change.same, show) : replacement(change, show, budget),
  )}</pre>`
}

function asItIs(text: string): string {
  return text
}

function kept(
  changes: readonly Change[],
  index: number,
  text: string,
  show: (text: string) => HtmlPart,
): HtmlPart {
  const lines = text.split(/(?<=\n)/)
  const head = linesAfter(changes[index - 1])
  const tail = changes[index + 1] ? LINES_AROUND + (text.endsWith('\n') ? 0 : 1) : 0
  const omitted = lines.length - head - tail
  if (omitted < LINES_OMITTED_MIN) return show(text)
  return html`${show(lines.slice(0, head).join(''))}<span class="omitted">${count(omitted, 'unchanged line')}
</span>${show(lines.slice(lines.length - tail).join(''))}`
}

/**
 * How many lines are shown after a change, besides the rest of the line that the change ends in.
 */
function linesAfter(change: Change | undefined): number {
  if (!change || 'same' in change) return 0
  return LINES_AROUND + ((change.added || change.removed).endsWith('\n') ? 0 : 1)
}

/** Names the characters of a change that reads the same on both sides, or shows nothing. */
function replacement(
  { removed, added }: Replacement,
  show: (text: string) => HtmlPart,
  { names }: ComparisonBudget,
): SafeHtml {
  const isShort = removed.length + added.length <= NAMED_LENGTH_MAX
  const isNamed = isShort && inkOf(removed) === inkOf(added)
  const named = isNamed ? (text: string) => namedText(text, names) : show
  return html`${removed ? html`<del>${named(removed)}</del>` : null}${added ? html`<ins>${named(added)}</ins>` : null}`
}

function inkOf(text: string): string {
  if (/^[!-~]*$/.test(text)) return text
  return text.replaceAll(INVISIBLE, '').replaceAll(/\s+/g, '')
}

const SPACES: Readonly<Record<string, string>> = { ' ': '·', '\t': '→', '\n': '↵\n' }

function namedText(text: string, names: NamesLeft): SafeHtml {
  const shown = text.replaceAll(/[ \t\n]/g, (space) => SPACES[space] ?? space)
  return visibleText(shown, NAMED_LENGTH_MAX * 2, names)
}
