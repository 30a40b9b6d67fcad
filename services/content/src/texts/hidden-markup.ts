import { taskSign } from '@stoa/shared/texts/plain-text.js'

/** A stretch of a text, as [start, end) in UTF-16 units. */
export interface Span {
  start: number
  end: number
}

/** A stretch that a snippet leaves out, or shows as something shorter. */
interface Hidden extends Span {
  shown?: string
}

/** How far before a window its line is read, and how far after it, as hidden links make room. */
const BEFORE_MAX = 1_000
const BEHIND_MAX = 400
/** How far before a place the link target that contains it may begin. */
const TARGET_MAX = 2_000

/**
 * What follows the text of a link or image. Other forms, as `handlers[name](event)`, may be code.
 */
const TARGET = String.raw`\]\((?:https?://|mailto:|[/#])[^\s()]*(?:\([^\s()]*\)[^\s()]*)*\)`
const TARGET_HERE = new RegExp(TARGET, 'y')
const FENCE = '```'
const FENCE_RUN = '`{3,}'
const CODE = '(`{1,2})(?!`)[^`\\n]+\\1(?!`)'
const LINK_START = String.raw`!?\[(?=!\[|[^\][\n]*${TARGET})`
const HEADING = String.raw`^#{1,6}[ \t]+`
/** The box of an item in a list of tasks: looking back from it costs nothing where there is none. */
const BOX = String.raw`\[[ xX]\](?=[ \t])(?<=^[ \t>]*(?:[-*+]|\d{1,3}[.)])[ \t]+\[.\])`
/** The line between the head of a table and its rows. */
const TABLE_RULE = String.raw`^[ \t]*\|[ \t:|-]+$\n?`
/**
 * Stars around words of one line, code included. Within a word, or alone, they mean something else.
 */
const STARS_END = String.raw`(?<=\S)\2(?![\p{L}\p{N}*])`
const STARRED = '(?=[^\\s*])((?:`[^`\\n]*`|(?!\\2)[^`\\n])+)'
const STARS = String.raw`(?<![\p{L}\p{N}*])(\*{1,3})(?=${STARRED}${STARS_END})`
/** Names and addresses contain underscores too: `__init__`, `/_next_/`, `?_a=`. */
const UNDERSCORES_END = String.raw`(?<=[^\s_])\4(?![\p{L}\p{N}_/&=])`
const UNDERSCORED = '(?=[^\\s_])((?:`[^`\\n]*`|[^`\\n]){1,500}?)'
const UNDERSCORES = String.raw`(?<![\p{L}\p{N}_/?&=])(?!__[a-z][a-z0-9_]*__)(_{1,3})(?=${UNDERSCORED}${UNDERSCORES_END})`
const STRUCK = String.raw`(?<!~)(~~)(?=([^\s~](?:[^~\n]*[^\s~])?)~~(?!~))`
/** The mark of a footnote, or the one that begins its text. */
const FOOTNOTE = String.raw`\[\^[^\s[\]]{1,100}\](?::[ \t]*)?`
const MARKUP = new RegExp(
  [FENCE_RUN, CODE, STARS, UNDERSCORES, STRUCK, TARGET, LINK_START, FOOTNOTE]
    .concat(HEADING, BOX, TABLE_RULE)
    .join('|'),
  'gmu',
)

/**
 * The end of the link target that `at` lies within, as no reader sees that address; `at` itself if
 * it lies within none.
 */
export function afterTarget(text: string, at: number): number {
  const least = Math.max(1, at - TARGET_MAX)
  for (let i = at - 1; i >= least && text.charCodeAt(i) > SPACE; i--) {
    if (text.charAt(i) !== '(' || text.charAt(i - 1) !== ']') continue
    TARGET_HERE.lastIndex = i - 1
    if (TARGET_HERE.test(text) && TARGET_HERE.lastIndex > at) return TARGET_HERE.lastIndex
  }
  return at
}

const SPACE = 32
/** Signs that may stress or strike words; the underscores of a name are inside the name. */
const STRESS = /\*|~~|(?:^|\W)_/

/**
 * The signs that a snippet of about `length` UTF-16 units from `from` on leaves out, since nobody
 * renders it: those around the text of links and images, around code, stressed and struck words, of
 * footnotes, before headings, and under the head of a table. It shows the boxes of tasks as one
 * sign. Within a block of code, every sign stands for itself. Some spans may lie before `from`.
 */
export function hiddenMarkup(text: string, from: number, length: number): Hidden[] {
  const begin = Math.max(text.lastIndexOf('\n', from - 1) + 1, from - BEFORE_MAX, 0)
  const hidden: Hidden[] = []
  // Most windows have no signs, and looking for them costs a tenth of what the expression does.
  const near = text.slice(begin, from + length)
  const hasPairs = near.includes('[') || near.includes('](') || STRESS.test(near)
  if (!hasPairs && !['`', '# ', '|'].some((sign) => near.includes(sign))) return hidden
  const read = hasPairs ? text.slice(begin, from + length + BEHIND_MAX) : near
  let isCode = isInBlock(text, begin)
  MARKUP.lastIndex = 0
  for (let match = MARKUP.exec(read); match; match = MARKUP.exec(read)) {
    const [found, ticks, stars, starred, underscores, underscored, tildes, struck] = match
    const stress = stars ?? underscores ?? tildes
    const start = begin + match.index
    const end = start + found.length
    if (found.startsWith(FENCE)) {
      if (!beginsLine(text, start)) continue
      isCode = !isCode
      hidden.push({ start, end })
    } else if (!isCode && ticks !== undefined) {
      hidden.push({ start, end: start + ticks.length }, { start: end - ticks.length, end })
    } else if (!isCode && stress !== undefined) {
      const close = end + (starred ?? underscored ?? struck ?? '').length
      hidden.push({ start, end }, { start: close, end: close + stress.length })
    } else if (!isCode && BOX_FOUND.test(found)) {
      hidden.push({ start, end, shown: taskSign(found.charAt(1)) })
    } else if (!isCode && !isNoFootnote(text, found)) hidden.push({ start, end })
  }
  return hidden.sort((a, b) => a.start - b.start)
}

const BOX_FOUND = /^\[[ xX]\]$/

/** Whether a text only looks like the mark of a footnote, as `[^a-z]` does. */
function isNoFootnote(text: string, found: string): boolean {
  return found.startsWith('[^') && !text.includes(`\n${found.replace(/:[ \t]*$/, '')}:`)
}

/** Whether the line that begins at `lineStart` is within a block of code. */
function isInBlock(text: string, lineStart: number): boolean {
  let isCode = false
  let at = text.indexOf(FENCE)
  while (at >= 0 && at < lineStart) {
    if (beginsLine(text, at)) isCode = !isCode
    const end = text.indexOf('\n', at)
    if (end < 0) break
    at = text.indexOf(FENCE, end)
  }
  return isCode
}

function beginsLine(text: string, at: number): boolean {
  if (at === 0 || text.charAt(at - 1) === '\n') return true
  return text.slice(text.lastIndexOf('\n', at) + 1, at).trim() === ''
}

/** A stretch of the text without the hidden spans, which are in the order of the text. */
export function withoutHidden(text: string, { start, end }: Span, hidden: Hidden[]): string {
  let rest = ''
  let at = start
  for (const span of hidden) {
    if (span.end <= at) continue
    if (span.start >= end) break
    rest += text.slice(at, Math.max(at, span.start))
    if (span.shown && span.start >= at && span.end <= end) rest += span.shown
    at = Math.min(span.end, end)
  }
  return rest + text.slice(at, end)
}
