import type { TextPlace } from '../contracts/post-texts.ts'

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
