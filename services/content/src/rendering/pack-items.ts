import { RawJson } from '@stoa/shared/bus/serve.js'
import { PAGE_BYTES_MAX } from '@stoa/shared/contracts/common.js'

/** Room for the head of the answer and the envelope. */
export const HEAD_BYTES = 8 * 1024

/** One item as JSON. */
export type ItemJson = Uint8Array

export function itemJson(item: unknown): ItemJson {
  return Buffer.from(JSON.stringify(item))
}

export interface PackedItems {
  /** A JSON array, in pieces. */
  json: Uint8Array[]
  count: number
  /** Where in the array each item begins, in bytes. */
  starts: number[]
}

const [OPEN, COMMA, CLOSE] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
]

/**
 * Takes as many items as fit a page, at least one. A page that ends early has a cursor, so the
 * reader loses nothing. `bytesApart` tells how much of an item is put into it later.
 */
export function packItems(
  items: readonly ItemJson[],
  bytesApart: (i: number) => number = () => 0,
): PackedItems {
  const json: Uint8Array[] = [OPEN]
  const starts: number[] = []
  let end = OPEN.length
  let bytes = HEAD_BYTES
  for (const [i, item] of items.entries()) {
    bytes += item.length + COMMA.length + bytesApart(i)
    if (bytes > PAGE_BYTES_MAX && i > 0) break
    if (i > 0) end += COMMA.length
    json.push(...(i > 0 ? [COMMA, item] : [item]))
    starts.push(end)
    end += item.length
  }
  json.push(CLOSE)
  return { json, count: starts.length, starts }
}

/** A list's answer: the fields of `head`, then the items. */
export function listJson(head: object, items: PackedItems): RawJson {
  return new RawJson(Buffer.concat([listStart(head), ...items.json, END]))
}

/** What stands in front of the items of a list. */
export function listStart(head: object): Buffer {
  return Buffer.from(`${JSON.stringify(head).slice(0, -1)},"items":`)
}

const END = Buffer.from('}')

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
