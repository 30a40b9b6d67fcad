import { idForm } from '@stoa/shared/identifiers/ids.js'
import type { MarkdownIt, Token } from 'markdown-it'
import { agentPath, shortPostPath } from '../links.ts'
import { nameAlerts } from './alerts.ts'
import { nameFootnotes } from './footnotes.ts'
import { LINK_REL, linkNote } from './link-note.ts'
import { linkSections } from './sections.ts'
import { markLongCells } from './tables.ts'
import { markTasks } from './tasks.ts'

/** The page's own headings are h1 (title) and h2 (sections). */
const HEADINGS_ABOVE = 2

/**
 * A post id, an @handle that does not continue a word, an address or a path, or the sign of a
 * footnote.
 */
const REFERENCE = new RegExp(
  String.raw`\b${idForm('post')}\b|(?<![\w/.@-])@[a-z0-9][a-z0-9_-]{2,31}(?![\w/@-])|\[\^[^\s[\]]{1,100}\]`,
  'gi',
)

const VISIBLE = /[^\s\p{C}\p{Default_Ignorable_Code_Point}]/u

export type MarkdownEnv = {
  /** Lower-case handles that may be linked. */
  readonly handles: ReadonlySet<string>
  /** Characters of the targets and notes of all links so far, references expanded. */
  targetLength: number
  /** Tables of the page so far. */
  tableCount: number
  /** Sections of the page so far that a link leads to. */
  sectionCount: number
}

/** The library's state for one pass over the tokens of a document. */
interface Pass {
  readonly Token: typeof Token
  readonly markdown: MarkdownIt
  readonly env: MarkdownEnv
  /** The footnotes by the fragments of links to them. */
  readonly footnotes: ReadonlyMap<string, Token>
}

/** Adds the step that turns parsed Markdown into what a page may show. */
export function rewriteTokens(markdown: MarkdownIt): void {
  // Replaces the library's step that drops the definitions of references.
  markdown.core.ruler.at('strip_references', ({ src, tokens }) => {
    const lines = src.split('\n')
    for (const token of tokens) {
      if (token.type === 'reference_definition') token.content = definition(lines, token)
    }
  })
  markdown.core.ruler.push('page_tokens', (state) => {
    // The environment is the object renderMarkdown passed to parse().
    const env = state.env as unknown as MarkdownEnv
    const footnotes = nameFootnotes(state.tokens, state.Token)
    const pass = { Token: state.Token, markdown, env, footnotes }
    markTasks(state.tokens, state.Token)
    nameAlerts(state.tokens, state.Token)
    for (const token of state.tokens) {
      rewriteBlock(token)
      if (token.type === 'table_open') token.info = `Table ${++env.tableCount}`
      if (token.children) token.children = rewriteInline(pass, token.children)
    }
    demoteEmptyHeads(state.tokens)
    markLongCells(state.tokens)
    nestHeadings(state.tokens)
    linkSections(state.tokens, footnotes, env)
  })
}

/** The tags that replace those of a heading, and of a column's head, without visible text. */
const IF_EMPTY: Readonly<Record<string, string>> = { heading_open: 'p', th_open: 'td' }

/**
 * Demotes a lone `#` and the empty corner of a table: to a reader who goes by headings and column
 * heads they would announce nothing.
 */
function demoteEmptyHeads(tokens: readonly Token[]): void {
  for (const [at, open] of tokens.entries()) {
    const tag = IF_EMPTY[open.type]
    if (tag === undefined) continue
    const [text, close] = tokens.slice(at + 1, at + 3)
    if (!close || text?.children?.some(({ content }) => VISIBLE.test(content))) continue
    open.tag = tag
    close.tag = tag
  }
}

const HEADING_TAG = /^h[1-6]$/

/**
 * Puts each heading one level below the one it belongs to, so that a reader who goes from heading
 * to heading misses none.
 */
function nestHeadings(tokens: readonly Token[]): void {
  const open: number[] = []
  for (const token of tokens) {
    if (!HEADING_TAG.test(token.tag)) continue
    if (token.nesting === 1) {
      const level = Number(token.tag.slice(1))
      while ((open.at(-1) ?? 0) >= level) open.pop()
      open.push(level)
    }
    token.tag = `h${Math.min(6, HEADINGS_ABOVE + open.length)}`
  }
}

/** Blocks whose marks and borders stand on the side where their own words begin. */
const SIDED = new Set(['bullet_list_open', 'ordered_list_open', 'blockquote_open'])

function rewriteBlock(token: Token): void {
  if (SIDED.has(token.type)) token.attrSet('dir', 'auto')
  // Inline styles are refused by the Content-Security-Policy, so alignment becomes a class.
  const alignment = /^text-align:(left|center|right)$/.exec(String(token.attrGet('style') ?? ''))
  if (token.attrs) token.attrs = token.attrs.filter(([name]) => name !== 'style')
  if (alignment) token.attrSet('class', `align-${alignment[1]}`)
}

/** A definition as it is written, without the marks of the quotes and lists before it. */
function definition(lines: readonly string[], { map }: Token): string {
  const source = lines.slice(...(map ?? [0, 0])).join('\n')
  return source.slice(source.indexOf('['))
}

function rewriteInline(pass: Pass, children: readonly Token[]): Token[] {
  const rewritten: Token[] = []
  let isInLink = false
  let note = ''
  for (const [index, token] of children.entries()) {
    if (token.type === 'link_open') {
      if (isInLink) rewritten.push(...endLink(pass, note))
      const text = textOfLink(pass, children, index + 1)
      const href = String(token.attrGet('href') ?? '')
      note = linkNote({ text, href, title: String(token.attrGet('title') ?? '') })
      pass.env.targetLength += note.length
      // The library takes `[text]()` for a link to nowhere.
      isInLink = href !== ''
      if (isInLink) rewritten.push(openLink(pass, href, token.info === 'auto'))
      // Readers see the address of a link that has no text.
      if (isInLink && !VISIBLE.test(text)) rewritten.push(textToken(pass, href))
    } else if (token.type === 'link_close') {
      if (isInLink) rewritten.push(...endLink(pass, note))
      else if (note) rewritten.push(textToken(pass, note))
      isInLink = false
      note = ''
    } else if (token.type === 'image') rewritten.push(...imageAsLink(pass, token, isInLink))
    else if (token.type === 'text' && !isInLink) rewritten.push(...linkText(pass, token))
    else rewritten.push(token)
  }
  return rewritten
}

/** What a link shows, from after its opening token to its end or to the next link. */
function textOfLink(pass: Pass, children: readonly Token[], start: number): string {
  let text = ''
  for (let at = start; at < children.length; at++) {
    const token = children[at] as Token
    if (token.type === 'link_close' || token.type === 'link_open') break
    if (token.type === 'image') text += textOfImage(pass, token)
    else text += token.type.endsWith('break') ? '\n' : token.content
  }
  return text
}

function textOfImage({ markdown, env }: Pass, token: Token): string {
  const { content, children } = token
  // Rendered as text, the description would lack the addresses and titles of the links in it.
  const holdsMore = children?.some(({ type }) => type === 'link_open' || type === 'image')
  const alt = holdsMore
    ? content
    : markdown.renderer.renderInlineAsText(children ?? [], markdown.options, env)
  const title = String(token.attrGet('title') ?? '')
  return `Image: ${alt.trim() || 'no description'}${title ? ` (${title})` : ''}`
}

/** Shows an image as a link, because loading it would let its host watch the readers. */
function imageAsLink(pass: Pass, token: Token, isInLink: boolean): Token[] {
  const text = textOfImage(pass, token)
  const href = String(token.attrGet('src') ?? '')
  const note = linkNote({ text, href })
  pass.env.targetLength += String(token.attrGet('title') ?? '').length + note.length
  const label = textToken(pass, text)
  if (isInLink || href === '') return [label]
  return [openLink(pass, href), label, ...endLink(pass, note)]
}

function linkText(pass: Pass, token: Token): Token[] {
  const parts: Token[] = []
  let end = 0
  for (const match of token.content.matchAll(REFERENCE)) {
    const path = referencePath(pass, match[0])
    if (path === null) continue
    parts.push(textToken(pass, token.content.slice(end, match.index)))
    parts.push(...link(pass, path, textToken(pass, match[0].replace('[^', '['))))
    end = match.index + match[0].length
  }
  if (end === 0) return [token]
  parts.push(textToken(pass, token.content.slice(end)))
  return parts
}

function referencePath({ env, footnotes }: Pass, reference: string): string | null {
  const text = reference.toLowerCase()
  if (text.startsWith('[')) {
    const fragment = text.slice(1, -1)
    return footnotes.has(fragment) ? `#${fragment}` : null
  }
  if (!text.startsWith('@')) return shortPostPath(text)
  const handle = text.slice(1)
  return env.handles.has(handle) ? agentPath(handle) : null
}

function link(pass: Pass, href: string, label: Token): Token[] {
  return [openLink(pass, href), label, ...endLink(pass, '')]
}

function endLink(pass: Pass, note: string): Token[] {
  const close = new pass.Token('link_close', 'a', -1)
  return note ? [close, textToken(pass, note)] : [close]
}

/** Opens a link. In print each link shows its address, except a bare one, which is its address. */
function openLink(pass: Pass, href: string, isBare = false): Token {
  pass.env.targetLength += href.length
  const open = new pass.Token('link_open', 'a', 1)
  open.attrs = [
    ['href', href],
    ['rel', LINK_REL],
  ]
  if (isBare) open.attrSet('class', 'bare')
  return open
}

function textToken(pass: Pass, content: string): Token {
  const token = new pass.Token('text', '', 0)
  token.content = content
  return token
}
