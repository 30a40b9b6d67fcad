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
  const writer = new LayerWriter(text.length)
  let found = false
  for (const { 0: line, index } of text.matchAll(/[^\n]+/g)) {
    if ((line.match(TELLING)?.length ?? 0) < TELLING_MIN) continue
    found = true
    writer.push(
      [...line.toLowerCase()]
        .reverse()
        .map((drawn) => TURNED.get(drawn) ?? drawn)
        .join(''),
      index,
    )
    writer.push(BREAK, index + line.length)
  }
  if (!found) return null
  return { ...writer.finish(text.length), altered: null, chain: ['upside-down'], hidden: true }
}
