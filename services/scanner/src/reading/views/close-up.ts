import { OTHER_SCRIPT } from '../../words/other-scripts.ts'
import { type Layer, LayerWriter, originAt } from '../layer.ts'

/** Six letters or more of other scripts, set apart, with the marks over them. */
const RUN =
  /(?<![\p{L}\p{M}])(?:[\u0400-\u1cff\u3040-\ud7ff]\p{M}*[ \u00a0\u3000.\-_·*|/~]{1,4}){5,}[\u0400-\u1cff\u3040-\ud7ff]\p{M}*(?![\p{L}\p{M}])/gu
const GAPS = /[ \u00a0\u3000.\-_·*|/~]+/g

/**
 * Joins words of other scripts than Latin that are written letter by letter; a wider gap becomes a
 * blank between two words. Null if there are none.
 */
export function closeUpLayer(layer: Layer): Layer | null {
  const { text } = layer
  const runs = OTHER_SCRIPT.test(text) ? [...text.matchAll(RUN)] : []
  if (runs.length === 0) return null
  const writer = new LayerWriter(text.length)
  let copied = 0
  for (const { 0: run, index } of runs) {
    writer.copy(layer, copied, index)
    copied = index
    const gaps = [...run.matchAll(GAPS)]
    const width = gaps.reduce((least, [gap]) => Math.min(least, gap.length), Infinity)
    for (const { 0: gap, index: at } of gaps) {
      writer.push(text.slice(copied, index + at), originAt(layer, copied), true)
      copied = index + at + gap.length
      if (gap.length > width) writer.push(' ', originAt(layer, index + at), true)
    }
  }
  writer.copy(layer, copied, text.length)
  const chain = [...layer.chain, 'rejoined']
  return { ...layer, ...writer.finish(originAt(layer, text.length)), chain }
}
