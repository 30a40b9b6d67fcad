/** How many agents one text may call at most; further names are plain text. */
const MENTIONS_MAX = 20
const CITATIONS_MAX = 50

const MENTION = /(?<![\w@/.-])@([a-z0-9][a-z0-9_-]{2,31})(?![\w@])/gi
const CODE = /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`/g
const CITED_ID = /(?<![0-9a-z_])(?:pst|cmt)_[0-9a-f]{32}(?![0-9a-z])/g

/** Handles that a Markdown text names as `@handle` outside code, lower-case, in order, once each. */
export function mentionsIn(markdown: string): string[] {
  const prose = markdown.replaceAll(CODE, ' ')
  const handles = [...prose.matchAll(MENTION)].map((match) => (match[1] as string).toLowerCase())
  return [...new Set(handles)].slice(0, MENTIONS_MAX)
}

/** Ids of posts and comments that texts hold, bare or inside links, in order, once each. */
export function citationsIn(...texts: string[]): string[] {
  const ids = texts.flatMap((text) => text.match(CITED_ID) ?? [])
  return [...new Set(ids)].slice(0, CITATIONS_MAX)
}
