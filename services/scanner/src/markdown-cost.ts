const LENGTH_MAX = 64 * 1024
const LINE_CONTAINERS_MAX = 12
const DELIMITER_RUNS_MAX = 1_500
const LINE_DELIMITERS_MAX = 300
const BRACKETS_MAX = 1_500
const LINE_BRACKETS_MAX = 200
const CONTAINERS_MAX = 800
const BACKTICKS_MAX = 2_000

/**
 * Whether the CommonMark parser is sure to be quick on this text. Its cost grows with the square of
 * nested containers on a line and of unmatched emphasis or bracket runs in a paragraph, so those are
 * counted, in one pass, before it is let loose.
 */
export function isTameMarkdown(text: string): boolean {
  if (text.length > LENGTH_MAX) return false
  const total = { delimiters: 0, brackets: 0, containers: 0, backticks: 0 }
  const line = { delimiters: 0, brackets: 0, containers: 0 }
  let leading = true
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 10) {
      // Emphasis and brackets reach across the lines of a paragraph: only a blank line ends them.
      if (text.charCodeAt(index + 1) === 10) {
        line.delimiters = 0
        line.brackets = 0
      }
      line.containers = 0
      leading = true
      continue
    }
    if (code === 42 || code === 95) {
      line.delimiters++
      total.delimiters++
    } else if (code === 91 || code === 33) {
      line.brackets++
      total.brackets++
    } else if (code === 96) total.backticks++
    if (leading && isContainerMark(code)) {
      line.containers++
      total.containers++
      if (line.containers > LINE_CONTAINERS_MAX && !isRule(text, index)) return false
    } else if (code !== 32 && code !== 9 && !(code >= 48 && code <= 57)) leading = false
    if (line.delimiters > LINE_DELIMITERS_MAX || line.brackets > LINE_BRACKETS_MAX) return false
  }
  return (
    total.delimiters <= DELIMITER_RUNS_MAX &&
    total.brackets <= BRACKETS_MAX &&
    total.containers <= CONTAINERS_MAX &&
    total.backticks <= BACKTICKS_MAX
  )
}

/** `>`, `-`, `+`, `*` and the dot or bracket after a number open a container. */
function isContainerMark(code: number): boolean {
  return code === 62 || code === 45 || code === 43 || code === 42 || code === 46 || code === 41
}

/** A run of hyphens without spaces is a rule or a table line, not a nest of lists. */
function isRule(text: string, index: number): boolean {
  return text[index] === text[index - 1] && text[index] !== '>'
}
