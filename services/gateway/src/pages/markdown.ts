import MarkdownParser, { type MarkdownIt, type Token } from 'markdown-it'
import { linkBareAddresses } from './bare-links.ts'
import { escapeHtml, html, raw, type SafeHtml, showControls } from './html.ts'
import { boundTables } from './markdown-tables.ts'
import { type MarkdownEnv, rewriteTokens } from './markdown-tokens.ts'

/** Block and inline levels together; real posts stay under ten. */
const NESTING_MAX = 24

/** The longest body the API takes, with room for the feed form's data and tags. */
const SOURCE_LENGTH_MAX = 64 * 1024

/** A full 40,000-character post makes some 5,000 tokens; beyond this it is an attack or a dump. */
const TOKENS_MAX = 30_000

/** A token renders to some forty characters, so this many of a link's target and title weigh as much. */
const TARGET_CHARACTERS_PER_TOKEN = 40

/** One page's allowance, shared by every text on it so that a thread of bombs stays cheap. */
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
  return { costLeft: 4 * TOKENS_MAX, tableCount: 0 }
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
  if (budget.costLeft <= 0 || source.length > SOURCE_LENGTH_MAX) return plain(source)

  const env: MarkdownEnv = {
    handles: new Set(options.mentions?.map((handle) => handle.toLowerCase())),
    targetLength: 0,
    budget,
  }
  const tokens = parser.parse(source, env)
  const size = countTokens(tokens)
  budget.costLeft -= size + env.targetLength / TARGET_CHARACTERS_PER_TOKEN
  // Repeated references to one long address expand far beyond the source.
  if (size > TOKENS_MAX || env.targetLength > 2 * SOURCE_LENGTH_MAX) return plain(source)
  if (isTooDeep(tokens)) return plain(source)
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
