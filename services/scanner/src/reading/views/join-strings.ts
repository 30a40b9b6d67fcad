import { BREAK } from '../decode.ts'
import { type Layer, LayerWriter, originAt } from '../layer.ts'

const BLANKS = String.raw`[ \t]{0,8}(?:[\\_]?\r?\n[ \t]{0,40})?`
/** Operators that put two strings together, in one language or another. */
const OPERATORS = String.raw`\+{1,2}|\.{1,2}|&|\|\||~|<>|<<|\)?\.(?:concat|append)\(`
/** Adjacent strings are one in C, in Python and in a shell; `" "` may be a string of its own. */
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
/** Calls that put the strings of a list together with nothing between them. */
const JOINED_LIST =
  /\b(?:join|implode)[ (]{1,3}(["'`])\1|(["'`])\2\.join\(|\bjoin\([^\n]{1,200}, ?["']{2}\)|\bconcat\(|-join ?["']{2}/i

/** UTF-16 units read before a cut, for a secret's name, and after it, for the secret's rest. */
const REACH_BEFORE = 60
const REACH_BEHIND = 120

/**
 * Joins words and keys that programs cut in pieces, `"AKIA" + "…"`, with the text around them. Text
 * in short pieces, which line length does not explain, counts as disguised.
 */
export function joinStringsLayer(layer: Layer): Layer | null {
  const { text } = layer
  const writer = new LayerWriter(0)
  let copied = 0
  let end = 0
  for (const { 0: seam, index } of text.matchAll(JOINED_LIST.test(text) ? SEAM_OR_COMMA : SEAM)) {
    const next = index + seam.length
    const isCut = isPartOfWord(text, index - 1) && isPartOfWord(text, next)
    // A seam between two whole words matters only near a cut word.
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
