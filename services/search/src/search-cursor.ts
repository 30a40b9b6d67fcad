import { AppError } from '@stoa/shared/errors.js'
import { z } from 'zod'

/** How deep results go; who wants more asks more precisely, or walks the feed. */
export const DEPTH_MAX = 1_000

const SearchPosition = z.tuple([z.literal('search'), z.int().min(1).max(DEPTH_MAX)])

export function writeSearchCursor(offset: number): string {
  return Buffer.from(JSON.stringify(['search', offset])).toString('base64url')
}

/** How many results come before the page; throws `invalid_cursor`. */
export function readSearchCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  try {
    return SearchPosition.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))[1]
  } catch {
    throw new AppError('invalid_cursor')
  }
}
