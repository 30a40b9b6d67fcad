import { type Layer, LayerWriter } from '../layer.ts'
import { isFormOfIdeograph, isTag, isVariationSupplement, lengthOf } from './characters.ts'

const HIDDEN_LENGTH_MIN = 4

/**
 * Text in invisible characters: Unicode tags read as the ASCII they mirror, and bytes carried by
 * variation selectors. Flags and forms of ideographs, which use these rightly, are left out.
 */
export function hiddenTextLayer(text: string): Layer | null {
  if (!/[\u{e0000}-\u{e01ef}]/u.test(text)) return null
  const writer = new LayerWriter(text.length)
  let carried = 0
  let before = 0
  for (let index = 0; index < text.length; ) {
    const code = text.codePointAt(index) ?? 0
    const char = isFormOfIdeograph(code, before) ? '' : carriedCharacter(code)
    if (char !== '') {
      writer.push(char, index)
      carried++
    }
    before = code
    index += lengthOf(code, text, index)
  }
  if (carried < HIDDEN_LENGTH_MIN) return null
  return writer.hidden(text.length, 'invisible')
}

function carriedCharacter(code: number): string {
  if (isTag(code)) {
    const ascii = code - 0xe0000
    return ascii >= 32 && ascii < 127 ? String.fromCharCode(ascii) : ''
  }
  // The supplement stands for bytes 16 to 255. The other 16 selectors would stand for controls.
  if (isVariationSupplement(code)) return String.fromCharCode(code - 0xe0100 + 16)
  return ''
}
