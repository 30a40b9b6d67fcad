/** Lines that may begin or end a code block: three or more backticks or tildes. */
const FENCE_LINE = /^[ \t]*(?:[-*+>][ \t]+|\d{1,9}[.)][ \t]+)*(`{3,}|~{3,})/
/** A fence at the start of its line, so that no list or quotation can contain it. */
const PLAIN_FENCE = /^(`{3,}|~{3,})(.*)$/
const HTML_LINE = /^ {0,3}</

/** How an HTML block that ends at a certain text may begin, and a line that ends it. */
const HTML_CLOSERS: [opener: RegExp, closer: string][] = [
  [/<!--/, '<!-- -->'],
  [/<(?:script|pre|style|textarea)\b/i, '<pre></pre>'],
  [/<\?/, '<??>'],
  [/<![a-z]/i, '<!A>'],
  [/<!\[CDATA\[/, '<![CDATA[]]>'],
]

/**
 * Lines that end any code block or HTML block that a Markdown text leaves open, so that the text
 * after them is read as what it is; the empty string if nothing is open. (CommonMark 0.31, 4.5 and
 * 4.6.) Put a blank line before and after them.
 *
 * Whether a block is open can depend on lists around it. If so, the result works in either case: a
 * line of backticks *with* a word opens a block where none is open, and is text where one is; the
 * line of backticks after it then closes either.
 */
export function closeMarkdown(markdown: string): string {
  const lines = markdown.split(/\r\n?|\n/)
  const known = openFence(lines)
  if (known) return known.join('\n')
  const html = HTML_CLOSERS.filter(([opener]) => opener.test(markdown)).map(([, closer]) => closer)
  const fences = closersOfBoth(lines.filter((line) => FENCE_LINE.test(line)))
  return [...html, ...(html.length > 0 && fences.length > 0 ? [''] : []), ...fences].join('\n')
}

/**
 * The fence that is still open, as lines; undefined if that cannot be told, because a fence is
 * indented or HTML stands outside any known block. A fence in a list ends with the list and does
 * not matter.
 */
function openFence(lines: string[]): string[] | undefined {
  let open: string | undefined
  for (const line of lines) {
    if (open !== undefined) {
      if (closes(line, open)) open = undefined
      continue
    }
    if (HTML_LINE.test(line)) return undefined
    const [, fence, info = ''] = PLAIN_FENCE.exec(line) ?? []
    if (!fence && FENCE_LINE.test(line)) return undefined
    // A backtick in the info string makes it inline code instead.
    if (fence && !(fence.startsWith('`') && info.includes('`'))) open = fence
  }
  return open === undefined ? [] : [open]
}

function closes(line: string, open: string): boolean {
  const run = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1]
  return run !== undefined && run[0] === open[0] && run.length >= open.length
}

function closersOfBoth(fences: string[]): string[] {
  return ['`', '~'].flatMap((character) => {
    const runs = fences.flatMap((line) => line.match(character === '`' ? /`{3,}/g : /~{3,}/g) ?? [])
    if (runs.length === 0) return []
    const fence = character.repeat(Math.max(...runs.map((run) => run.length)))
    return [`${fence}text`, fence]
  })
}

/** A code block around text that may hold fences of its own. */
export function fenced(text: string, info: string): string {
  const runs = text.match(/`{3,}/g) ?? []
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)))
  return `${fence}${info}\n${text}\n${fence}`
}

/** Text as a quotation `depth` levels deep: no line of the text can leave the quotation. */
export function quoted(text: string, depth: number): string {
  const mark = '> '.repeat(depth)
  return text
    .split(/\r\n?|\n/)
    .map((line) => `${mark}${line}`.trimEnd())
    .join('\n')
}
