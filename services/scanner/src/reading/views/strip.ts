import { type Layer, LayerWriter, originAt } from '../layer.ts'
import { compatible, isArabicMark, isCombining, isInvisible, isSyllable } from './characters.ts'
import { isAscii } from './fold.ts'

/** The ellipsis and the hyphen that does not break; neither disguises a key or a command. */
const TYPOGRAPHY: ReadonlySet<string> = new Set(['\u2026', '\u2011'])

/**
 * The text in NFKC, without invisible characters and marks over letters, letter case kept: for
 * formats such as keys. Null if nothing changes but emoji and typography, because everything is
 * read a second time in this layer, and many honest posts have these.
 */
export function stripLayer(layer: Layer): Layer | null {
  const { text } = layer
  if (isAscii(text)) return null
  const writer = new LayerWriter(text.length + 32)
  let changed = false
  for (let index = 0; index < text.length; ) {
    let plainEnd = index
    while (plainEnd < text.length && isPlain(text.charCodeAt(plainEnd))) plainEnd++
    writer.copy(layer, index, plainEnd)
    index = plainEnd
    if (index >= text.length) break
    const code = text.codePointAt(index) ?? 0
    const width = code > 0xffff ? 2 : 1
    if (isInvisible(code) || isCombining(code) || isArabicMark(code)) {
      if (!isPartOfEmoji(text, index)) changed = true
    } else {
      const char = text.slice(index, index + width)
      const plain = compatible(char)
      if (plain !== char && !TYPOGRAPHY.has(char)) changed = true
      writer.push(plain, originAt(layer, index), layer.altered?.[index] === 1)
    }
    index += width
  }
  if (!changed) return null
  return { ...layer, ...writer.finish(originAt(layer, text.length)) }
}

function isPlain(code: number): boolean {
  return code < 128 || isSyllable(code)
}

const EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?$/u

/** Whether the joiner or variation selector at `index` belongs to the emoji before it. */
function isPartOfEmoji(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return (
    (code === 0xfe0f || code === 0x200d) && EMOJI.test(text.slice(Math.max(0, index - 3), index))
  )
}
