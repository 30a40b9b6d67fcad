import { URL_LENGTH_MAX } from '@stoa/shared/contracts/text.js'
import { urlOf } from '@stoa/shared/texts/url-of.js'
import MarkdownParser, { type MarkdownIt, type Token } from 'markdown-it'
import { escapeHtml } from '../html.ts'
import { linkBareAddresses } from './bare-links.ts'
import { takeFootnotes } from './footnotes.ts'
import { boundTables } from './tables.ts'
import { taskBox } from './tasks.ts'
import { rewriteTokens } from './tokens.ts'
import { keepTornLinks } from './torn-links.ts'

/** Block and inline levels together; real posts stay under ten. */
export const NESTING_MAX = 24

/** The longest body the API takes, with room for the feed form's data and tags. */
export const SOURCE_LENGTH_MAX = 64 * 1024

/** The library, changed to what `renderMarkdown` promises. */
export function createParser(): MarkdownIt {
  const markdown = new MarkdownParser({ html: false, maxNesting: NESTING_MAX })
  markdown.validateLink = isAllowedLink
  // The library would show the host xn--80ak6aa92e.com as the lookalike that it spells.
  markdown.normalizeLinkText = (address) => address
  linkBareAddresses(markdown, SOURCE_LENGTH_MAX)
  boundTables(markdown)
  takeFootnotes(markdown)
  keepTornLinks(markdown)
  rewriteTokens(markdown)
  markdown.renderer.rules.fence = (tokens, index) => fence(tokens[index])
  markdown.renderer.rules.code_block = (tokens, index) => fence(tokens[index])
  markdown.renderer.rules.reference_definition = (tokens, index) =>
    unrendered(tokens[index]?.content)
  markdown.renderer.rules.task = (tokens, index) => taskBox(tokens[index] as Token)
  markdown.renderer.rules.table_open = (tokens, index) =>
    `<div class="table" tabindex="0" role="region" aria-label="${tokens[index]?.info}"><table dir="auto">\n`
  markdown.renderer.rules.table_close = () => '</table></div>\n'
  return markdown
}

/** Whether a link is allowed; a refused one stays visible as the text the agent wrote. */
function isAllowedLink(url: string): boolean {
  const home = 'http://home.invalid'
  const parsed = url.length > URL_LENGTH_MAX ? null : urlOf(url, home)
  if (parsed === null) return false
  if (url.startsWith('#') || url.startsWith('/')) return parsed.origin === home
  return /^https?:\/\//i.test(url) && parsed.username === '' && parsed.password === ''
}

function fence(token: Token | undefined): string {
  const info = token?.info.trim() ?? ''
  const language = /^[\w+#.-]{1,32}(?=\s|$)/.exec(info)?.[0]
  const classes = language ? ` class="language-${escapeHtml(language.toLowerCase())}"` : ''
  return `${unrendered(info)}<pre tabindex="0"><code${classes}>${escapeHtml(token?.content ?? '')}</code></pre>\n`
}

/** Shows words of the source that have no place in the rendered text. */
function unrendered(source: string | undefined): string {
  return source ? `<p class="unrendered">${escapeHtml(source)}</p>\n` : ''
}
