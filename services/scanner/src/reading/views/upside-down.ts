import { BREAK } from '../decode.ts'
import { type Layer, LayerWriter } from '../layer.ts'

/** What is drawn for the letters a to z, and for a full stop and a colon, by who turns them round. */
const DRAWN = 'ɐqɔpǝɟƃɥᴉɾʞlɯuodbɹsʇnʌʍxʎz˙:'
const MEANT = 'abcdefghijklmnopqrstuvwxyz.:'
const TURNED: ReadonlyMap<string, string> = new Map(
  [...DRAWN].map((drawn, at) => [drawn, MEANT[at] ?? drawn]),
)

/** Those that are no letters of plain writing. A few in a row are phonetics. */
const TELLING = /[ɐɔǝɟƃɥᴉɾʞɯɹʇʌʍʎ]/g
const TELLING_MIN = 6

/** Lines that are written upside down, as a reader sees them who turns the page. */
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
