import { BREAK } from '../decode.ts'
import { type Layer, LayerWriter, originAt } from '../layer.ts'

const BLANKS = String.raw`[ \t]{0,8}(?:[\\_]?\r?\n[ \t]{0,40})?`
/** What puts two strings together in one language or another. */
const OPERATORS = String.raw`\+{1,2}|\.{1,2}|&|\|\||~|<>|<<|\)?\.(?:concat|append)\(`
/** Strings that follow on one another are one in C, in Python and in a shell; a blank may be a string itself. */
const IN_A_ROW = String.raw`(?<=\w.)[ \t]{0,8}|[ \t]{0,8}\\?\r?\n[ \t]{0,40}`
const QUOTE = String.raw`["'\x60]`

function seamsOf(operators: string): RegExp {
  const between = `${BLANKS}(?:${operators})${BLANKS}|${IN_A_ROW}`
  return new RegExp(
    String.raw`(?<!${QUOTE})${QUOTE}(?:${between})(?:(?<=\s)[bfru@$]{1,2})?${QUOTE}(?!${QUOTE})|(?<=\S)\\\r?\n`,
    'gi',
  )
}

const SEAM = seamsOf(OPERATORS)
const SEAM_OR_COMMA = seamsOf(`${OPERATORS}|,`)
/** What puts the strings of a list together with nothing between them. */
const JOINED_LIST =
  /\b(?:join|implode)[ (]{1,3}(["'`])\1|(["'`])\2\.join\(|\bjoin\([^\n]{1,200}, ?["']{2}\)|\bconcat\(|-join ?["']{2}/i

/** What is read before a cut, such as the name that a secret is given to, and behind it, as the rest of that. */
const REACH_BEFORE = 60
const REACH_BEHIND = 120

/**
 * Words and keys that are cut in pieces as programs do it, `"AKIA" + "…"`, put together, with what stands
 * around them. Of pieces that are short, so that no line is too long for them, the text counts as disguised.
 */
export function joinStringsLayer(layer: Layer): Layer | null {
  const { text } = layer
  const writer = new LayerWriter(0)
  let copied = 0
  let end = 0
  for (const { 0: seam, index } of text.matchAll(JOINED_LIST.test(text) ? SEAM_OR_COMMA : SEAM)) {
    const next = index + seam.length
    const isCut = isPartOfWord(text, index - 1) && isPartOfWord(text, next)
    // Between two words there is nothing to put together but for what is cut beside them.
    if (!isCut && index > end) continue
    const start = Math.max(0, index - REACH_BEFORE)
    if (start > end) {
      writer.copy(layer, copied, end)
      if (end > 0) writer.push(BREAK, originAt(layer, end))
      copied = start
    }
    writer.copy(layer, copied, index)
    writer.push(text.charAt(next), originAt(layer, next), true)
    copied = next + 1
    if (isCut) end = Math.min(text.length, next + REACH_BEHIND)
    else end = Math.max(end, next)
  }
  if (end === 0) return null
  writer.copy(layer, copied, end)
  return { ...layer, ...writer.finish(originAt(layer, end)), chain: [...layer.chain, 'rejoined'] }
}

function isPartOfWord(text: string, at: number): boolean {
  return /\S/.test(text[at] ?? ' ')
}
