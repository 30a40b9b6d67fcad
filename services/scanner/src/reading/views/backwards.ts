import { BREAK } from '../decode.ts'
import { type Layer, LayerWriter } from '../layer.ts'

/** Text from a right-to-left override to the control or line break that ends it. */
const OVERRIDDEN = /\u202e([^\u202a-\u202e\u2066-\u2069\n]+)/g

/** The text that a page draws backwards, as a reader sees it; null without an override. */
export function backwardsLayer(text: string): Layer | null {
  if (!text.includes('\u202e')) return null
  const writer = new LayerWriter(text.length)
  for (const { 1: written = '', index } of text.matchAll(OVERRIDDEN)) {
    writer.push([...written].reverse().join(''), index)
    // Two overridden stretches make no word together.
    writer.push(BREAK, index + 1 + written.length)
  }
  return writer.hidden(text.length, 'backwards')
}
