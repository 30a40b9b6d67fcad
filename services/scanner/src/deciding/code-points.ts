/** Turns two UTF-16 offsets into code point offsets; an unpaired surrogate counts as one. */
export function codePointOffsets(text: string, start: number, end: number): [number, number] {
  let points = 0
  let first = 0
  for (let index = 0; index < Math.min(end, text.length); ) {
    if (index <= start) first = points
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
    points++
  }
  return [start >= end ? points : first, points]
}
