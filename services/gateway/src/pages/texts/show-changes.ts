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

/** Lines that stayed are shown this far from those that did not. */
const LINES_AROUND = 2

/** Fewer than this are not worth a line that says that they are left out. */
const LINES_OMITTED_MIN = 3

/** Of longer ones the names of characters would be many times the text. */
const NAMED_LENGTH_MAX = 1000

/** Texts of one document by name; one that it has not is empty. */
type Texts = Readonly<Record<string, string>>

interface Look {
  readonly heading: (name: string) => SafeHtml
  /** How the words of a text are shown; as they are by default. */
  readonly show?: (text: string) => HtmlPart
}

/** What one document says otherwise than another before it, text by text; null where nothing. */
export function showChangedParts(before: Texts, after: Texts, look: Look): SafeHtml | null {
  const textOf = (texts: Texts, name: string) =>
    (Object.hasOwn(texts, name) ? texts[name] : '') ?? ''
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])]
  const changed = names.filter((name) => textOf(before, name) !== textOf(after, name))
  if (changed.length === 0) return null
  const budget = newComparisonBudget()
  return html`<p class="note">Of each part that was changed, in its source: <del>what is gone</del> and <ins>what is new</ins>.</p>
${changed.map(
  (name) => html`<section class="part">${look.heading(name)}
${showChanges(textOf(before, name), textOf(after, name), budget, look.show)}</section>\n`,
)}`
}

/** A list as a text. Each has its end: without one the last would differ from the same before another. */
export function linesOf(values: readonly string[]): string {
  return values.map((value) => `${value}\n`).join('')
}

/** The same where the order says nothing, so that only what is gone or new differs. */
export function sortedLinesOf(values: readonly string[]): string {
  return linesOf(values.toSorted())
}

/** What became of a text, in its source: what is gone is `<del>`, what is new `<ins>`. */
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

/** The rest of the line that the change ends in is none of them. */
function linesAfter(change: Change | undefined): number {
  if (!change || 'same' in change) return 0
  return LINES_AROUND + ((change.added || change.removed).endsWith('\n') ? 0 : 1)
}

/** What reads the same on both sides, or shows nothing, is told by the names of its characters. */
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
