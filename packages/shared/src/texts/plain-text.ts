import { withoutEntities } from './entities.ts'

/** A fenced block from its first line to its last, wherever it is nested. */
export const FENCED =
  /^[ \t>]*(?:[-*+][ \t]+)?(`{3,}|~{3,})[^\n]*(?:\n[\s\S]*?(?:^[ \t>]*\1.*$|$(?![\s\S]))|$)/gm
const FENCE_LINE = /^[ \t>]*(?:[-*+][ \t]+)?(?:`{3,}|~{3,})[^\n]*$/gm
const QUOTE_MARKS = /^[ \t]*(?:>[ \t]?)+/gm
const CODE_SPAN = /(?<!`)(`+)(?!`)((?:(?!\n\n)[\s\S]){1,300}?)(?<!`)\1(?!`)/g
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g
/** Tags within a sentence; any other tag stands between words. */
const INLINE_TAG = tag(
  'abbr|a|b|code|del|em|font|ins|i|kbd|mark|q|samp|small|span|strong|sub|sup|s|tt|u|var',
)
const OTHER_TAG = tag(
  'blockquote|br|center|dd|details|div|dl|dt|h[1-6]|hr|img|li|ol|picture|pre|p|source|summary|table|tbody|td|tfoot|thead|th|tr|ul|video',
)
const AUTOLINK = /<(https?:\/\/[^\s<>]{1,2000})>/g
const IMAGE = /!\[([^\]\n]{0,300})\]\((?:[^()\n]|\([^()\n]*\)){0,2000}\)/g
const LINK = /\[([^\]\n]{0,300})\]\((?:[^()\n]|\([^()\n]*\)){0,2000}\)/g
const TITLE = String.raw`"[^"\n]{0,300}"|'[^'\n]{0,300}'|\([^()\n]{0,300}\)`
/** A line that gives the address of a link's label; any other line like it is a sentence. */
const DEFINITION = new RegExp(
  String.raw`^[ \t]{0,3}\[([^[\]\n]{1,100})\]:[ \t]*<?(?:https?://|[/#])[^\s<>]{0,2000}>?(?:[ \t]+(?:${TITLE}))?[ \t]*$`,
  'gm',
)
/** The mark at the beginning of a footnote, such as `[^1]:`. */
const FOOTNOTE = /^[ \t]{0,3}\[(\^[^\s[\]]{1,100})\]:/gm
const LABELLED_LINK = /\[([^[\]\n]{0,300})\](?:\[([^[\]\n]{0,100})\])?(?!\()/g
const LABELLED_IMAGE = new RegExp(`!${LABELLED_LINK.source}`, 'g')
/** A line between parts, or under a heading. */
const RULE = /^[ \t]{0,3}(?:([-*_])(?:[ \t]*\1){2,}|={2,})[ \t]*$/gm
/** Marks that begin a line. Nested lists are indented; an indented hash or arrow is mostly code. */
const LINE_MARKS =
  /^(?:[ \t]{0,3}(?=[#>])|[ \t]*(?=[-*+\d]))(?:(?:[-*+]|\d{1,3}[.)])[ \t]+|>(?:[ \t]+|$))*(?:#{1,6}(?:[ \t]+|$))?/gm
/** The box of an item in a list of tasks, empty or ticked. */
const TASK = /^([ \t>]*(?:[-*+]|\d{1,3}[.)])[ \t]+)\[([ x])\](?=[ \t])/gim
/** The kinds of notes that an author can mark in the first line of a quotation, as in `[!NOTE]`. */
export const NOTE_KINDS = 'note|tip|important|warning|caution'
const NOTE = new RegExp(String.raw`^[ \t>]*>[ \t]*\[!(${NOTE_KINDS})\][ \t]*$`, 'gim')
const TABLE_RULE = /^[ \t]*\|[ \t:|-]*$/gm
const TABLE_ROW = /^[ \t]*\|.*$/gm
/** Pairs of marks around whole words: inside a word, or alone, they mean something else. */
const STARS = /(?<![\p{L}\p{N}*])(\*{1,3})(?=[^\s*])([^*\n]{1,500}?)(?<=\S)\1(?![\p{L}\p{N}*])/gu
const UNDERSCORES =
  /(?<![\p{L}\p{N}_])(_{1,3})(?=[^\s_])([^\n]{1,500}?)(?<=[^\s_])\1(?![\p{L}\p{N}_])/gu
const STRUCK = /~~(?=\S)([^~\n]{1,500}?)(?<=\S)~~/g
const EMPHASIS_DEPTH_MAX = 3
/** Python's `__init__` is a name, though Markdown makes it bold. */
const NAME = /^[a-z][a-z0-9_]*$/

/**
 * A Markdown text as plain words on one line, without its code blocks. Text that only looks like
 * markup, such as `Promise<void>` or `SELECT * FROM`, and text between backticks stay as they are.
 * For the beginning of a text, `labels` must be those of the whole text.
 */
export function plainText(markdown: string, labels = linkLabels(markdown)): string {
  const spans: string[] = []
  const put = (code: string) => `\0${spans.push(code) - 1}\0`
  const prose = markdown
    .replaceAll('\0', '')
    .replaceAll(FENCED, ' ')
    .replaceAll(CODE_SPAN, (_, _ticks, code: string) => put(code))
  // Entities come last, because what an entity stands for is not markup.
  return withoutEntities(withoutMarks(withoutLabels(prose, labels)))
    .replaceAll(/\0(\d+)\0/g, (_, index: string) => spans[Number(index)] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** The text within the code blocks of a Markdown text, on one line. */
export function codeOf(markdown: string): string {
  return Array.from(markdown.matchAll(FENCED), ([block]) => block.replaceAll(FENCE_LINE, ''))
    .join(' ')
    .replaceAll(QUOTE_MARKS, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** The labels by which the links of a text name their addresses, and its footnotes themselves. */
export function linkLabels(markdown: string): Set<string> {
  const found = [...markdown.matchAll(DEFINITION), ...markdown.matchAll(FOOTNOTE)]
  return new Set(found.map(([, label = '']) => sameCase(label)))
}

function withoutLabels(prose: string, labels: ReadonlySet<string>): string {
  if (labels.size === 0) return prose
  const textOf = (whole: string, text: string, label: string | undefined) => {
    if (!labels.has(sameCase(label || text))) return whole
    return text.startsWith('^') ? '' : text
  }
  return prose
    .replaceAll(FOOTNOTE, '')
    .replaceAll(DEFINITION, '')
    .replaceAll(LABELLED_IMAGE, textOf)
    .replaceAll(LABELLED_LINK, textOf)
}

function sameCase(label: string): string {
  return label.trim().toLowerCase()
}

function withoutMarks(prose: string): string {
  const text = prose
    .replaceAll(COMMENT, ' ')
    .replaceAll(INLINE_TAG, '')
    .replaceAll(OTHER_TAG, ' ')
    .replaceAll(AUTOLINK, '$1')
    .replaceAll(IMAGE, '$1')
    .replaceAll(LINK, '$1')
    .replaceAll(TABLE_RULE, '')
    .replaceAll(TABLE_ROW, (row) => row.replaceAll('|', ' '))
    .replaceAll(RULE, '')
    .replaceAll(TASK, (_, marks: string, sign: string) => `${marks}${taskSign(sign)}`)
    .replaceAll(NOTE, (_, kind: string) => `${noteName(kind)}:`)
    .replaceAll(LINE_MARKS, '')
  return withoutEmphasis(text)
}

export function taskSign(sign: string): string {
  return sign === ' ' ? '☐' : '☑'
}

export function noteName(kind: string): string {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1).toLowerCase()}`
}

/** Emphasis can stand within emphasis, so the result is searched again. */
function withoutEmphasis(text: string, depth = 0): string {
  const plain = text
    .replaceAll(STARS, '$2')
    .replaceAll(UNDERSCORES, (whole, marks: string, words: string) =>
      marks === '__' && NAME.test(words) ? whole : words,
    )
    .replaceAll(STRUCK, '$1')
  return plain === text || depth >= EMPHASIS_DEPTH_MAX ? plain : withoutEmphasis(plain, depth + 1)
}

/** An HTML tag with its attributes: neither `<b && c>` nor `<void>` is one. */
function tag(names: string): RegExp {
  const attribute = `\\s+[\\w:@-]+(?:=(?:"[^"]*"|'[^']*'|[^\\s"'<>]+))?`
  return new RegExp(`</?(?:${names})(?:${attribute}){0,20}\\s*/?>`, 'gi')
}
