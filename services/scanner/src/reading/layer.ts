/**
 * One reading of a field: its own text, or its text once normalised or decoded. Every offset of the
 * reading leads back to the field as it was written.
 */
export type Layer = {
  text: string
  /** Field offset of each unit, never falling, with one entry past the end; null if identical. */
  origin: Int32Array | null
  /** Names of the steps that led here, outermost first; empty for the plain text. */
  chain: readonly string[]
  /** Whether the whole layer was invisible or encoded. */
  hidden: boolean
  /** 1 for each unit that was disguised and is written out here; null if there are none. */
  altered: Uint8Array | null
}

/** The field offset of a unit of a layer, or of the layer's end. */
export function originAt({ origin }: Layer, unit: number): number {
  return origin === null ? unit : (origin[unit] ?? 0)
}

/**
 * The field range of a layer range, as UTF-16 offsets. It covers all that the last unit was written
 * as, but not the invisible characters after a plain one.
 */
export function originOf(layer: Layer, start: number, end: number): [number, number] {
  const { origin } = layer
  if (origin === null) return [start, end]
  const first = origin[start] ?? 0
  const final = Math.max(start, end - 1)
  const last = origin[final] ?? first
  const next = nextOrigin(origin, final, last)
  const wasWritten = layer.hidden || layer.altered?.[final] === 1
  return [first, wasWritten ? next : Math.min(next, last + 2)]
}

/** The first origin after a unit that differs from its own: units made of one piece share one. */
function nextOrigin(origin: Int32Array, unit: number, own: number): number {
  let low = unit + 1
  let high = origin.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((origin[middle] ?? 0) > own) high = middle
    else low = middle + 1
  }
  return origin[low] ?? own + 1
}

/** Whether enough of a range was disguised to call the range hidden. */
export function isHidden(layer: Layer, start: number, end: number): boolean {
  if (layer.hidden) return true
  if (layer.altered === null) return false
  let altered = 0
  for (let index = start; index < end; index++) altered += layer.altered[index] ?? 0
  return altered > 0 && altered * 8 >= end - start
}

/** Builds a layer's text piece by piece, remembering where each piece was taken from. */
export class LayerWriter {
  private readonly pieces: string[] = []
  private origins: Int32Array
  private altered: Uint8Array
  private anyAltered = false
  private length = 0

  constructor(capacity: number) {
    this.origins = new Int32Array(capacity + 16)
    this.altered = new Uint8Array(capacity + 16)
  }

  push(piece: string, origin: number, altered = false): void {
    if (piece.length === 0) return
    while (this.length + piece.length + 1 > this.origins.length) this.grow()
    if (altered) {
      this.altered.fill(1, this.length, this.length + piece.length)
      this.anyAltered = true
    }
    for (let index = 0; index < piece.length; index++) this.origins[this.length++] = origin
    this.pieces.push(piece)
  }

  /** Copies a stretch of a layer as it is, or `text`, which must have the same length. */
  copy(layer: Layer, from: number, to: number, text = layer.text.slice(from, to)): void {
    if (to <= from) return
    while (this.length + text.length + 1 > this.origins.length) this.grow()
    if (layer.origin === null) {
      for (let unit = from; unit < to; unit++) this.origins[this.length + unit - from] = unit
    } else {
      this.origins.set(layer.origin.subarray(from, to), this.length)
    }
    if (layer.altered !== null) {
      this.altered.set(layer.altered.subarray(from, to), this.length)
      this.anyAltered = true
    }
    this.length += to - from
    this.pieces.push(text)
  }

  finish(end: number): Pick<Layer, 'text' | 'origin' | 'altered'> {
    this.origins[this.length] = end
    const altered = this.anyAltered ? this.altered.slice(0, this.length) : null
    return { text: this.pieces.join(''), origin: this.origins.slice(0, this.length + 1), altered }
  }

  /** Ends a layer of text that the field holds but does not show. */
  hidden(end: number, name: string): Layer {
    return { ...this.finish(end), chain: [name], hidden: true }
  }

  private grow(): void {
    const larger = new Int32Array(this.origins.length * 2)
    larger.set(this.origins)
    this.origins = larger
    const marks = new Uint8Array(larger.length)
    marks.set(this.altered)
    this.altered = marks
  }
}
