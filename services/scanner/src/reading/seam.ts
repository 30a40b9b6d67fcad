import type { FieldText, FoldedLayer } from './field.ts'
import { originAt } from './layer.ts'

/** UTF-16 units read on either side. Every post pays for these, and few orders need more. */
const REACH = 100

/** The joined field, and the offset at which its two parts meet. */
type Seam = { field: FieldText; at: number }

/** Joins the end of one field and the beginning of another; null if either has no folded text. */
export function seamOf(first: FieldText, second: FieldText): Seam | null {
  const [head] = first.folded
  const [tail] = second.folded
  if (head === undefined || tail === undefined) return null
  const start = Math.max(0, head.text.length - REACH)
  const begin = Math.max(0, tail.text.search(/\S/))
  const end = Math.min(tail.text.length, begin + REACH)
  const rawStart = originAt(head, start)
  const at = first.raw.length - rawStart
  const rawEnd = originAt(tail, end)
  const text = `${head.text.slice(start)}\n${tail.text.slice(begin, end)}`
  const origin = new Int32Array(text.length + 1)
  const width = head.text.length - start
  for (let unit = 0; unit <= width; unit++) origin[unit] = originAt(head, start + unit) - rawStart
  for (let unit = begin; unit <= end; unit++)
    origin[width + 1 + unit - begin] = at + 1 + originAt(tail, unit)
  const marks = new Uint8Array(at + 1 + rawEnd)
  marks.set(first.marks.subarray(rawStart))
  marks.set(second.marks.subarray(0, rawEnd), at + 1)
  const raw = `${first.raw.slice(rawStart)}\n${second.raw.slice(0, rawEnd)}`
  const layer: FoldedLayer = { ...tail, text, origin, altered: null, lowered: null }
  const field = { ...second, raw, marks, exact: [], rendered: [], folded: [layer], listed: [] }
  return { field, at }
}
