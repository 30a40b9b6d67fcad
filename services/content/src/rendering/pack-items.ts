import { openObject } from '@stoa/shared/answers/json-pieces.js'
import { RawJson } from '@stoa/shared/bus/raw-json.js'
import { PAGE_BYTES_MAX } from '@stoa/shared/contracts/common.js'

/** Room for the head of the answer and the envelope. */
export const HEAD_BYTES = 8 * 1024

/** The items of a page, each serialized. */
export interface PackedItems {
  items: readonly string[]
  count: number
  /** Where in the JSON array of them each begins, in bytes. */
  starts: number[]
  /** Of the array, in bytes. */
  size: number
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
  return { items: items.slice(0, count), count, starts, size: Math.max(start, 2) }
}

/** The beginning of a list's answer: the fields of `head`, and the name of what follows. */
export function listStart(head: object): string {
  return `${openObject(head)}"items":`
}

/**
 * A list's answer from its beginning, in one piece of memory: strings put together would be copied
 * twice more, at two bytes for each character where one of them has an ellipsis.
 */
export function listJson<List>(
  start: string,
  { items, size }: Pick<PackedItems, 'items' | 'size'>,
): RawJson<List> {
  const json = Buffer.allocUnsafe(Buffer.byteLength(start) + size + 1)
  let end = json.write(start)
  for (const [i, item] of items.entries()) {
    end += json.write(i === 0 ? '[' : ',', end)
    end += json.write(item, end)
  }
  json.write(items.length === 0 ? '[]}' : ']}', end)
  return new RawJson(json)
}

/** Items of one kind, each serialized. */
export interface Serialized<Item> {
  items: readonly string[]
  /** Of their JSON array, in bytes. */
  size: number
  /** Never there: only the compiler asks what the items are. */
  of?: Item
}

interface Fitting<Row, Item> {
  render: (row: Row) => Item
  /** Most items, and most bytes of JSON; the first item is never too large. */
  max: number
  share: number
}

/**
 * Renders rows, in order, for as long as they fit; what does not fit is not rendered. Each item is
 * serialized, since its size is told from that.
 */
export function fittingItems<Row, Item>(
  rows: readonly Row[],
  { render, max, share }: Fitting<Row, Item>,
): Serialized<Item> {
  const items: string[] = []
  let bytes = 0
  for (const row of rows) {
    if (items.length === max) break
    const item = JSON.stringify(render(row))
    const size = Buffer.byteLength(item) + 1
    if (bytes + size > share && items.length > 0) break
    items.push(item)
    bytes += size
  }
  return { items, size: Math.max(bytes + 1, 2) }
}
