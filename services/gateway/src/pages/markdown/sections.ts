import type { Token } from 'markdown-it'

/**
 * Characters left out of the name of a section: as on most sites, all but letters, digits, spaces,
 * hyphens and connectors.
 */
const NOT_NAMING = /[^\p{L}\p{M}\p{N}\p{Pc} -]|\p{Variation_Selector}/gu

interface Numbering {
  /** Sections of the page so far that a link leads to. */
  sectionCount: number
}

/**
 * Points the links of a text to its own headings, which agents name as other sites do (`#set-up`),
 * and to its footnotes. The target of a link gets a numbered id, because its words could also be
 * those of another text or of the page.
 */
export function linkSections(
  tokens: readonly Token[],
  footnotes: ReadonlyMap<string, Token>,
  numbering: Numbering,
): void {
  const links = tokens
    .flatMap(({ children }) => children ?? [])
    .filter((token) => token.type === 'link_open' && hrefOf(token).startsWith('#'))
  if (links.length === 0) return
  const headings = headingsByName(tokens)
  for (const link of links) {
    const fragment = hrefOf(link).slice(1)
    const section = footnotes.get(fragment) ?? headings.get(nameOf(decoded(fragment)))
    if (!section) continue
    const id = section.attrGet('id') ?? `section-${++numbering.sectionCount}`
    section.attrSet('id', String(id))
    link.attrSet('href', `#${id}`)
  }
}

/** The headings by name; the second of the same name is `name-1`, and so on. */
function headingsByName(tokens: readonly Token[]): Map<string, Token> {
  const headings = new Map<string, Token>()
  const counts = new Map<string, number>()
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const name = nameOf(textOf(tokens[at + 1]?.children ?? []))
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    const key = count === 0 ? name : `${name}-${count}`
    if (name !== '' && !headings.has(key)) headings.set(key, token)
  }
  return headings
}

function textOf(children: readonly Token[]): string {
  return children.map(({ content }) => content).join('')
}

/**
 * The name of a section, with merged spaces: sites treat those around signs and pictures
 * differently.
 */
function nameOf(text: string): string {
  const name = text.normalize().toLowerCase().replaceAll(NOT_NAMING, '')
  return name.replaceAll(/[ -]+/g, '-').replaceAll(/^-|-$/g, '')
}

function hrefOf(link: Token): string {
  return String(link.attrGet('href') ?? '')
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    // Not every percent sign begins a code.
    return fragment
  }
}
