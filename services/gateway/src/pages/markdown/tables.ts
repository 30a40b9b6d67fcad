import type { MarkdownIt, StateBlock, Token } from 'markdown-it'
import { libraryRule } from './library-rule.ts'

/**
 * The library fills in missing cells, so a few kilobytes of source could make tens of thousands.
 */
const CELLS_MAX = 2000

/**
 * Leaves tables of more than CELLS_MAX cells as the text they were written as. Puts cells beyond
 * the columns, which the library drops, into the last one.
 */
export function boundTables(markdown: MarkdownIt): void {
  const table = libraryRule(({ block }) => block.ruler, 'table')
  markdown.block.ruler.at(
    'table',
    (state, startLine, endLine, silent) => {
      if (!table(state, startLine, endLine, true)) return false
      if (silent) return true
      const header = state.getLines(startLine, startLine + 1, 0, false)
      const columns = header.split('|').length
      const rowsMax = Math.floor(CELLS_MAX / columns)
      let row = startLine
      while (row < endLine && !state.isEmpty(row)) {
        if (row - startLine > rowsMax) return false
        row += 1
      }
      const start = state.tokens.length
      table(state, startLine, endLine, false)
      keepSurplusCells(state, state.tokens.slice(start))
      return true
    },
    { alt: ['paragraph', 'reference'] },
  )
}

function keepSurplusCells(state: StateBlock, tokens: readonly Token[]): void {
  let line = 0
  let row: Token[] = []
  for (const token of tokens) {
    if (token.type === 'tr_open') {
      line = token.map?.[0] ?? 0
      row = []
    } else if (token.type === 'inline') row.push(token)
    else if (token.type === 'tr_close') {
      const last = row.at(-1)
      const surplus = cellsOf(state, line).slice(row.length).filter(Boolean)
      if (last) last.content = [last.content, ...surplus].join(' | ')
    }
  }
}

/** The cells of a row, split as the library does. */
function cellsOf(state: StateBlock, line: number): string[] {
  const row = state.getLines(line, line + 1, state.blkIndent, false).trim()
  const cells = row.split(/(?<!\\)\|/)
  if (cells[0] === '') cells.shift()
  return cells.map((cell) => cell.replaceAll('\\|', '|').trim())
}

/** About as many characters as the style sheet keeps room for in a cell that has more. */
const SHORT_CELL_MAX = 12

/** Longer than words of sentences: a hash, a path, an address. */
const UNBROKEN = /\S{25}/

/**
 * Marks the cells of many characters, and those of them with an unbroken word. Such a word would
 * take the room of other columns until each of their lines had one word, or one sign of Chinese.
 */
export function markLongCells(tokens: readonly Token[]): void {
  for (const [at, cell] of tokens.entries()) {
    if (cell.type !== 'td_open' && cell.type !== 'th_open') continue
    const text = tokens[at + 1]?.children?.map(({ content }) => content).join('') ?? ''
    if (text.length > SHORT_CELL_MAX) cell.attrJoin('class', 'long')
    if (UNBROKEN.test(text)) cell.attrJoin('class', 'unbroken')
  }
}
