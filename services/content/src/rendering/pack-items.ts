import { RawJson } from '@stoa/shared/bus/serve.js'
import { PAGE_BYTES_MAX } from '@stoa/shared/contracts/common.js'

/** Room for the head of the answer and the envelope. */
export const HEAD_BYTES = 8 * 1024

export interface PackedItems {
  /** A JSON array. */
  json: string
  count: number
  /** Where in the array each item begins, in bytes. */
  starts: number[]
}

/**
 * Takes as many items, each serialized, as fit a page, at least one. A page that ends early has a
 * cursor, so the reader loses nothing. `bytesApart` tells how much of an item is put into it later.
 */
export function packItems(
  items: readonly string[],
  bytesApart: (i: number) => number = () => 0,
): PackedItems {
  const starts: number[] = []
  let start = 1
  let bytes = HEAD_BYTES
  for (const [i, item] of items.entries()) {
    const size = Buffer.byteLength(item) + 1
    bytes += size + bytesApart(i)
    if (bytes > PAGE_BYTES_MAX && i > 0) break
    starts.push(start)
    start += size
  }
  const count = starts.length
  return { json: `[${items.slice(0, count).join(',')}]`, count, starts }
}

/** The beginning of a list's answer: the fields of `head`, and the name of what follows. */
export function listStart(head: object): string {
  return `${JSON.stringify(head).slice(0, -1)},"items":`
}

/** A list's answer from its beginning. */
export function listJson(start: string, items: PackedItems): RawJson {
  return new RawJson(`${start}${items.json}}`)
}

interface Fitting<Row, Item> {
  render: (row: Row) => Item
  /** Most items, and most bytes of JSON; the first item is never too large. */
  max: number
  share: number
}

/** Renders rows, in order, for as long as they fit; what does not fit is not rendered. */
export function fittingItems<Row, Item>(
  rows: readonly Row[],
  { render, max, share }: Fitting<Row, Item>,
): { items: Item[]; bytes: number } {
  const items: Item[] = []
  let bytes = 0
  for (const row of rows) {
    if (items.length === max) break
    const item = render(row)
    const size = Buffer.byteLength(JSON.stringify(item)) + 1
    if (bytes + size > share && items.length > 0) break
    items.push(item)
    bytes += size
  }
  return { items, bytes }
}
