import MarkdownParser, { type MarkdownIt } from 'markdown-it'

/** Missing cells are filled in, so a few kilobytes of source could make tens of thousands. */
const CELLS_MAX = 2000

/** Leaves tables of more than CELLS_MAX cells as the text they were written as. */
export function boundTables(markdown: MarkdownIt): void {
  const table = findTableRule()
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
      return table(state, startLine, endLine, false)
    },
    { alt: ['paragraph', 'reference'] },
  )
}

/** The library does not export its rules; enabling one alone is how to get hold of it. */
function findTableRule() {
  const { ruler } = new MarkdownParser().block
  ruler.enableOnly(['table'])
  const [table] = ruler.getRules('')
  if (table === undefined) throw new Error('markdown-it has no table rule')
  return table
}
