import type { TextPlace } from '../contracts/post-texts.ts'

/**
 * The beginning of a JSON object with these fields, of which there must be at least one, and a last
 * comma: `{"a":1,`. Fields that are already serialized can follow as they are, instead of being
 * parsed or serialized again.
 */
export function openObject(fields: object): string {
  return `${JSON.stringify(fields).slice(0, -1)},`
}

/** An answer with each text inserted at its place, in pieces. */
export function withTexts(
  json: Uint8Array,
  places: readonly TextPlace[],
  texts: readonly Uint8Array[],
): Uint8Array[] {
  const pieces: Uint8Array[] = []
  let from = 0
  for (const [i, [at]] of places.entries()) {
    pieces.push(json.subarray(from, at), texts[i] as Uint8Array)
    from = at
  }
  pieces.push(json.subarray(from))
  return pieces
}
