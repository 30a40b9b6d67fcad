import type { TextPlace } from '../contracts/post-texts.ts'

/**
 * The beginning of a JSON object that goes on behind these fields, with its last comma: `{"a":1,`.
 * There must be one at least. What is serialized already is put behind it as it is, instead of being
 * parsed or serialized again.
 */
export function openObject(fields: object): string {
  return `${JSON.stringify(fields).slice(0, -1)},`
}

/** An answer with each text at its place, in pieces. */
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
