import { lookalike } from '@stoa/shared/names/lookalikes.js'
import { isLetter } from '../../ascii.ts'
import { type Layer, LayerWriter, originAt } from '../layer.ts'
import {
  compatible,
  isCombining,
  isInvisible,
  isLatinLetter,
  isLookalikeScript,
  isSyllable,
} from './characters.ts'

/** Blanks to readers, but not to the pattern engine; U+2800 is not one in Unicode either. */
const BLANKS = '\u1680\u2028\u2029\u2800'

/**
 * The text as it looks: in NFKC and lower case, without invisible characters, with look-alike
 * letters read as the Latin ones they imitate. Plain ASCII is merely lowercased.
 */
export function foldLayer(layer: Layer): Layer {
  const { text } = layer
  if (isAscii(text)) return { ...layer, text: text.toLowerCase() }
  const writer = new LayerWriter(text.length + 32)
  let word: { char: string; at: number; altered: boolean }[] = []
  for (let index = 0; index < text.length; ) {
    const plainEnd = word.length === 0 ? asciiRunEnd(text, index) : index
    if (plainEnd > index) {
      writer.copy(layer, index, plainEnd, text.slice(index, plainEnd).toLowerCase())
      index = plainEnd
      continue
    }
    let syllablesEnd = index
    while (isSyllable(text.charCodeAt(syllablesEnd))) syllablesEnd++
    if (syllablesEnd > index) {
      writeWord(word, writer)
      word = []
      writer.copy(layer, index, syllablesEnd)
      index = syllablesEnd
      continue
    }
    const code = text.codePointAt(index) ?? 0
    const width = code > 0xffff ? 2 : 1
    const at = originAt(layer, index)
    const altered = layer.altered?.[index] === 1
    if (!isInvisible(code)) {
      const char = code < 128 ? String.fromCharCode(code) : normal(text.slice(index, index + width))
      if (isWordPart(code)) {
        word.push({ char, at, altered })
      } else {
        writeWord(word, writer)
        word = []
        writer.push(char.toLowerCase(), at, altered)
      }
    }
    index += width
  }
  writeWord(word, writer)
  return { ...layer, ...writer.finish(originAt(layer, text.length)) }
}

/** The end of the plain ASCII to copy as it is, without a word that continues in other letters. */
function asciiRunEnd(text: string, start: number): number {
  let end = start
  while (end < text.length && text.charCodeAt(end) < 128) end++
  if (end === text.length) return end
  while (end > start && isWordPart(text.charCodeAt(end - 1))) end--
  return end
}

function normal(char: string): string {
  if (BLANKS.includes(char)) return ' '
  const plain = compatible(char)
  if (plain.length === 1) return plain
  // Combining marks piled on a letter are dropped; the letter is what is read.
  return plain.normalize('NFD').replace(/\p{M}/gu, '') || plain
}

/** Writes a word. Look-alikes are folded if it mixes scripts or has nothing but look-alikes. */
function writeWord(
  word: readonly { char: string; at: number; altered: boolean }[],
  writer: LayerWriter,
): void {
  if (word.length === 0) return
  let latin = 0
  let foreign = 0
  let unfoldable = 0
  for (const { char } of word) {
    const code = char.codePointAt(0) ?? 0
    if (code < 128 || isLatinLetter(code)) latin++
    else if (lookalike(code) !== undefined) foreign++
    else if (isLookalikeScript(code)) unfoldable++
  }
  const fold = foreign > 0 && (latin > 0 || unfoldable === 0)
  for (const { char, at, altered } of word) {
    const code = char.codePointAt(0) ?? 0
    const folded = fold && code >= 128 ? (lookalike(code) ?? stripAccent(char)) : stripAccent(char)
    writer.push(folded.toLowerCase(), at, altered)
  }
}

function stripAccent(char: string): string {
  const code = char.codePointAt(0) ?? 0
  const isAccented = (code >= 0xc0 && code <= 0x24f) || (code >= 0x1e00 && code <= 0x1eff)
  if (!isAccented) return isCombining(code) ? '' : char
  return char.normalize('NFD').replace(/[\u0300-\u036f]/g, '')
}

function isWordPart(code: number): boolean {
  if (code < 128) return isLetter(code)
  return code >= 0xaa && !(code >= 0x2000 && code <= 0x206f) && !(code >= 0x3000 && code <= 0x3003)
}

export function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false
  return true
}
