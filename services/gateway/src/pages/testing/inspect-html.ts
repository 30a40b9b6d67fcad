const TAG = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*>/g
const ATTRIBUTE = /([a-z-]+)(?:="([^"]*)")?/g

const VOID = new Set(['meta', 'link', 'img', 'input', 'br', 'hr'])
const FORBIDDEN = new Set(['script', 'style', 'iframe', 'object', 'embed', 'base', 'svg'])
const NOT_IN_PARAGRAPH = new Set(
  'p div ul ol li pre section article header footer form table dl h1 h2 h3 h4 h5 h6'.split(' '),
)

interface Element {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
}

/**
 * Reads HTML more strictly than any browser and returns its elements in order. Throws when anything
 * is left that is not text, when tags do not nest, and when a page could run code or leak a visit.
 */
export function inspectHtml(document: string): Element[] {
  const body = document.replace(/^<!doctype html>/, '')
  const leftover = /[<>]/.exec(body.replace(TAG, ''))
  if (leftover)
    throw new Error(
      `stray ${leftover[0]}: ${body.replace(TAG, '').slice(leftover.index - 80, leftover.index + 80)}`,
    )

  const elements: Element[] = []
  const open: string[] = []
  for (const [whole, slash, tag = '', rest = ''] of body.matchAll(TAG)) {
    if (slash) {
      const last = open.pop()
      if (last !== tag) throw new Error(`</${tag}> closes <${last}>`)
      continue
    }
    const element = { tag, attributes: attributesOf(rest) }
    check(element, open, whole)
    elements.push(element)
    if (!VOID.has(tag)) open.push(tag)
  }
  if (open.length > 0) throw new Error(`never closed: ${open.join(' ')}`)
  return elements
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name, decode(value)]),
  )
}

function decode(value: string): string {
  return value
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
}

function check({ tag, attributes }: Element, open: readonly string[], whole: string): void {
  if (FORBIDDEN.has(tag)) throw new Error(`forbidden ${whole}`)
  if (tag === 'a' && open.includes('a')) throw new Error(`a link inside a link: ${whole}`)
  if (NOT_IN_PARAGRAPH.has(tag) && open.includes('p')) throw new Error(`${whole} inside <p>`)
  const isFocusable = tag === 'div' && attributes.tabindex === '0'
  if (isFocusable && !(attributes.role && attributes['aria-label']))
    throw new Error(`nobody hears what has the focus: ${whole}`)
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on') || name === 'style') throw new Error(`forbidden ${whole}`)
    const isAddress = ['href', 'src', 'action'].includes(name)
    if (isAddress && !/^(https?:\/\/|\/(?!\/)|#)/.test(value)) throw new Error(`forbidden ${whole}`)
  }
  if (tag === 'img' && attributes.src !== '/favicon.svg') throw new Error(`forbidden ${whole}`)
}
