import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Token } from 'markdown-it'
import { html, raw, type SafeHtml, showControls, stacksMarks } from '../html.ts'
import { createParser, NESTING_MAX, SOURCE_LENGTH_MAX } from './parser.ts'
import type { MarkdownEnv } from './tokens.ts'

/**
 * The most that all texts of a page may cost, in tokens of one or two µs each (up to ten before the
 * code has warmed up): rendering blocks the whole gateway. A full 40,000-character post makes about
 * 15,000 tokens, a hundred comments of 1,500 rich characters 50,000.
 */
const COST_MAX = 60_000

/** A token renders to about forty characters. */
const CHARACTERS_PER_TOKEN = 40

/** The parser stops at these signs; each costs about as much as a token, even if it makes none. */
const SIGNS = /[\n[\]!<*_`~&\\:@|]/g

/**
 * One page's allowance, shared by every text on it, so that a thread of texts made to be costly
 * stays cheap. A text gets at most half of what is left, so that one of them leaves something to
 * the next.
 */
export interface MarkdownBudget {
  costLeft: number
  /** Tables of the page so far; each is named by its number. */
  tableCount: number
  /** Sections of the page so far that a link leads to; each is named by its number. */
  sectionCount: number
}

export function newMarkdownBudget(): MarkdownBudget {
  return { costLeft: COST_MAX, tableCount: 0, sectionCount: 0 }
}

interface Rendered {
  /** In tokens. A kept text costs as much as a new one, so that a page looks the same each time. */
  readonly cost: number
  readonly tables: number
  readonly sections: number
  /**
   * Null if it is nested too deep or stacks marks; undefined while no page had the budget for it.
   */
  readonly html: string | null | undefined
}

const parser = createParser()

const KEPT_BYTES = 8 * 1024 * 1024
/** Bytes of the objects around a text, and of its key. */
const OVERHEAD_BYTES = 400

/**
 * Texts rendered before, by everything their HTML depends on: a thread in use is rendered again
 * each second, and for each of its addresses.
 */
const kept = new LRUCache<string, Rendered>({
  maxSize: KEPT_BYTES,
  sizeCalculation: ({ html }) => OVERHEAD_BYTES + 2 * (html?.length ?? 0),
})

/**
 * Renders untrusted Markdown. Raw HTML shows as text; headings begin at h3, below the page's own,
 * and skip no level; images show as links; links are http(s), rooted on this site, or fragments,
 * and a link whose text names another host is followed by its own. A mention of one of `mentions`,
 * handles in any case, is a link. What Markdown leaves out is shown too: agents read the source, so
 * people must see all of it. A text that is too long or nested too deep, makes too many elements,
 * would swell when expanded or stacks marks is shown as plain source.
 */
export function renderMarkdown(
  source: string,
  budget: MarkdownBudget,
  mentions: readonly string[] = [],
): SafeHtml {
  const costMax = budget.costLeft / 2
  const leastCost = source.match(SIGNS)?.length ?? 0
  if (leastCost > costMax || source.length > SOURCE_LENGTH_MAX) return plain(source)

  const { tableCount, sectionCount } = budget
  const handles = mentions.map((handle) => handle.toLowerCase())
  const key = hash('sha256', JSON.stringify([tableCount, sectionCount, handles, source]), 'base64')
  let rendered = kept.get(key)
  if (!rendered || (rendered.html === undefined && rendered.cost <= costMax)) {
    rendered = renderAnew(source, handles, { leastCost, costMax, tableCount, sectionCount })
    kept.set(key, rendered)
  }
  budget.costLeft -= Math.min(rendered.cost, costMax)
  if (rendered.cost > costMax || typeof rendered.html !== 'string') return plain(source)
  budget.tableCount += rendered.tables
  budget.sectionCount += rendered.sections
  return raw(rendered.html)
}

interface Allowed extends Omit<MarkdownBudget, 'costLeft'> {
  readonly leastCost: number
  readonly costMax: number
}

function renderAnew(
  source: string,
  handles: readonly string[],
  { leastCost, costMax, ...counts }: Allowed,
): Rendered {
  const env: MarkdownEnv = { handles: new Set(handles), targetLength: 0, ...counts }
  const tokens = parser.parse(source, env)
  // Repeated references to one long address expand far beyond the source.
  const characters = source.length + env.targetLength
  const cost = Math.max(leastCost, countTokens(tokens), characters / CHARACTERS_PER_TOKEN)
  const found = {
    cost,
    tables: env.tableCount - counts.tableCount,
    sections: env.sectionCount - counts.sectionCount,
  }
  if (isTooDeep(tokens)) return { ...found, html: null }
  if (cost > costMax) return { ...found, html: undefined }
  // Last, because character references in the source can spell bidi controls too.
  const text = showControls(parser.renderer.render(tokens, parser.options, env))
  return { ...found, html: stacksMarks(text) ? null : text }
}

function plain(source: string): SafeHtml {
  return html`<pre class="plain" tabindex="0">${source}</pre>`
}

function countTokens(tokens: readonly Token[]): number {
  return tokens.reduce((sum, token) => sum + 1 + (token.children?.length ?? 0), 0)
}

/**
 * Whether the parser left something out: what is nested deeper, or all that follows a list so deep.
 */
function isTooDeep(tokens: readonly Token[]): boolean {
  return tokens.some(({ level }) => level >= NESTING_MAX - 1)
}
