import { BREAK } from '../decode.ts'
import { type Layer, LayerWriter } from '../layer.ts'

/** The characters drawn for a to z, full stop and colon when a text is turned upside down. */
const DRAWN = 'ɐqɔpǝɟƃɥᴉɾʞlɯuodbɹsʇnʌʍxʎz˙:'
const MEANT = 'abcdefghijklmnopqrstuvwxyz.:'
const TURNED: ReadonlyMap<string, string> = new Map(
  [...DRAWN].map((drawn, at) => [drawn, MEANT[at] ?? drawn]),
)

/** Drawn letters that plain writing does not have. A few in a line are phonetics. */
const TELLING = /[ɐɔǝɟƃɥᴉɾʞɯɹʇʌʍʎ]/g
const TELLING_MIN = 6

/** Lines written upside down, as a reader who turns the page sees them; null without any. */
export function upsideDownLayer(text: string): Layer | null {
  if (text.search(TELLING) === -1) return null
  const lines = [...text.matchAll(/[^\n]+/g)].filter(([line]) => isUpsideDown(line))
  if (lines.length === 0) return null
  const writer = new LayerWriter(text.length)
  for (const { 0: line, index } of lines) {
    const turned = [...line.toLowerCase()].map((drawn) => TURNED.get(drawn) ?? drawn)
    writer.push(turned.reverse().join(''), index)
    writer.push(BREAK, index + line.length)
  }
  return writer.hidden(text.length, 'upside-down')
}

function isUpsideDown(line: string): boolean {
  return (line.match(TELLING)?.length ?? 0) >= TELLING_MIN
}
