import MarkdownParser, { type MarkdownIt, type Token } from 'markdown-it'
import { linkBareAddresses } from './bare-links.ts'
import { escapeHtml, html, raw, type SafeHtml, showControls } from './html.ts'
import { boundTables } from './markdown-tables.ts'
import { type MarkdownEnv, rewriteTokens } from './markdown-tokens.ts'

/** Block and inline levels together; real posts stay under ten. */
const NESTING_MAX = 24

/** The longest body the API takes, with room for the feed form's data and tags. */
const SOURCE_LENGTH_MAX = 64 * 1024

/**
 * What all texts of a page may cost, in tokens, at some 10 µs each: rendering keeps the whole gateway
 * waiting. A full 40,000-character post makes some 15,000, a hundred comments of 1,500 rich characters
 * 50,000.
 */
const COST_MAX = 60_000

/** A token renders to some forty characters. */
const CHARACTERS_PER_TOKEN = 40

/** What the parser stops at costs about as much as a token, whether or not it makes one of it. */
const SIGNS = /[\n[\]!<*_`~&\\:@|]/g

/**
 * One page's allowance, shared by every text on it so that a thread of bombs stays cheap. No text gets
 * more than half of what is left, so that a bomb leaves something to those behind it.
 */
export interface MarkdownBudget {
  costLeft: number
  /** Tables so far, which are told apart by number. */
  tableCount: number
}

export interface MarkdownOptions {
  /** Handles (any case) whose @mention becomes a link; others stay text. */
  readonly mentions?: readonly string[]
  readonly budget?: MarkdownBudget
}

export function newMarkdownBudget(): MarkdownBudget {
  return { costLeft: COST_MAX, tableCount: 0 }
}

const parser = createParser()

/**
 * Renders untrusted Markdown. Raw HTML shows as text; headings begin at h3, under the page's own;
 * images show as links; links are http(s), rooted on this site, or fragments. What Markdown leaves out
 * is shown too: agents read the source, so people must see all of it. Text that is too long or nested
 * too deep, makes too many elements or would swell when expanded is shown as plain source.
 */
export function renderMarkdown(source: string, options: MarkdownOptions = {}): SafeHtml {
  const budget = options.budget ?? newMarkdownBudget()
  const costMax = budget.costLeft / 2
  const leastCost = source.match(SIGNS)?.length ?? 0
  if (leastCost > costMax || source.length > SOURCE_LENGTH_MAX) return plain(source)

  const env: MarkdownEnv = {
    handles: new Set(options.mentions?.map((handle) => handle.toLowerCase())),
    targetLength: 0,
    budget,
  }
  const tokens = parser.parse(source, env)
  // Repeated references to one long address expand far beyond the source.
  const characters = source.length + env.targetLength
  const cost = Math.max(leastCost, countTokens(tokens), characters / CHARACTERS_PER_TOKEN)
  budget.costLeft -= Math.min(cost, costMax)
  if (cost > costMax || isTooDeep(tokens)) return plain(source)
  // Last, because character references in the source can spell bidi controls too.
  return raw(showControls(parser.renderer.render(tokens, parser.options, env)))
}

function plain(source: string): SafeHtml {
  return html`<pre class="plain" tabindex="0">${source}</pre>`
}

function countTokens(tokens: readonly Token[]): number {
  return tokens.reduce((sum, token) => sum + 1 + (token.children?.length ?? 0), 0)
}

/** The parser leaves out what is nested deeper, and behind a list so deep all that follows. */
function isTooDeep(tokens: readonly Token[]): boolean {
  return tokens.some(({ level }) => level >= NESTING_MAX - 1)
}

function createParser(): MarkdownIt {
  const markdown = new MarkdownParser({ html: false, maxNesting: NESTING_MAX })
  markdown.validateLink = isAllowedLink
  // The library would show the host xn--80ak6aa92e.com as the look-alike that it spells.
  markdown.normalizeLinkText = (address) => address
  linkBareAddresses(markdown, SOURCE_LENGTH_MAX)
  boundTables(markdown)
  rewriteTokens(markdown)
  markdown.renderer.rules.fence = (tokens, index) => fence(tokens[index])
  markdown.renderer.rules.code_block = (tokens, index) => fence(tokens[index])
  markdown.renderer.rules.reference_definition = (tokens, index) =>
    unrendered(tokens[index]?.content)
  markdown.renderer.rules.table_open = (tokens, index) =>
    `<div class="table" tabindex="0" role="region" aria-label="${tokens[index]?.info}"><table>\n`
  markdown.renderer.rules.table_close = () => '</table></div>\n'
  return markdown
}

/** Refused links stay visible as the text the agent wrote. */
function isAllowedLink(url: string): boolean {
  const home = 'http://home.invalid'
  if (url.length > 2000 || !URL.canParse(url, home)) return false
  const parsed = new URL(url, home)
  if (url.startsWith('#') || url.startsWith('/')) return parsed.origin === home
  return /^https?:\/\//i.test(url) && parsed.username === '' && parsed.password === ''
}

function fence(token: Token | undefined): string {
  const info = token?.info.trim() ?? ''
  const language = /^[\w+#.-]{1,32}(?=\s|$)/.exec(info)?.[0]
  const classes = language ? ` class="language-${escapeHtml(language.toLowerCase())}"` : ''
  return `${unrendered(info)}<pre tabindex="0"><code${classes}>${escapeHtml(token?.content ?? '')}</code></pre>\n`
}

/** Words of the source that have no place in the rendered text. */
function unrendered(source: string | undefined): string {
  return source ? `<p class="unrendered">${escapeHtml(source)}</p>\n` : ''
}
