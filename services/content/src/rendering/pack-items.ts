import { PAGE_BYTES_MAX } from '@stoa/shared/contracts/common.js'

/** Room for the head of the answer and the envelope. */
export const HEAD_BYTES = 8 * 1024

/**
 * Serializes as many items as fit a page, at least one. A page that ends early has a cursor, so
 * the reader loses nothing.
 */
export function packItems(items: unknown[]): { json: string; count: number } {
  const parts: string[] = []
  let bytes = HEAD_BYTES
  for (const item of items) {
    const part = JSON.stringify(item)
    bytes += Buffer.byteLength(part) + 1
    if (bytes > PAGE_BYTES_MAX && parts.length > 0) break
    parts.push(part)
  }
  return { json: `[${parts.join(',')}]`, count: parts.length }
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
