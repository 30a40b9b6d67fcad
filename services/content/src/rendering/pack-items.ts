import { openObject } from '@stoa/shared/answers/json-pieces.js'
import { RawJson } from '@stoa/shared/bus/raw-json.js'
import { PAGE_BYTES_MAX } from '@stoa/shared/contracts/common.js'

/** Bytes kept for the head of the answer and the envelope. */
export const HEAD_BYTES = 8 * 1024

/** The items of a page, each serialized. */
export interface PackedItems {
  items: readonly string[]
  count: number
  /** Where each item begins in their JSON array, in bytes. */
  starts: number[]
  /** Size of the array, in bytes. */
  size: number
}

/**
 * Takes as many serialized items as fit a page, at least one. A page that ends early has a cursor,
 * so the reader loses nothing. `bytesApart` tells how many bytes of an item are inserted later.
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

/**
 * The beginning of a list's answer: the fields of `head`, and the name of the array that follows.
 */
export function listStart(head: object): string {
  return `${openObject(head)}"items":`
}

/**
 * The answer of a list with the beginning `start`, in one buffer: concatenated strings would be
 * copied twice more, with two bytes per character if one of them has an ellipsis.
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
  /** Size of their JSON array, in bytes. */
  size: number
  /** Never set: it only tells the compiler the type of the items. */
  of?: Item
}

interface Fitting<Row, Item> {
  render: (row: Row) => Item
  /** The most items, and the most bytes of JSON; the first item is never too large. */
  max: number
  share: number
}

/**
 * Renders rows in order until one does not fit. Each item is serialized, because that tells its
 * size.
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
