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

/** How many of these items fit into so many bytes of JSON, in order. */
export function fittingCount(items: unknown[], bytesMax: number): { count: number; bytes: number } {
  let bytes = 0
  for (const [count, item] of items.entries()) {
    const size = Buffer.byteLength(JSON.stringify(item)) + 1
    if (bytes + size > bytesMax) return { count, bytes }
    bytes += size
  }
  return { count: items.length, bytes }
}
