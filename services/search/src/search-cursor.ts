import { SEARCH_DEPTH_MAX } from '@stoa/shared/contracts/search.js'
import { AppError } from '@stoa/shared/errors.js'
import { z } from 'zod'

const SearchPosition = z.tuple([z.literal('search'), z.int().min(1).max(SEARCH_DEPTH_MAX)])

/** How many hits come before the page of a cursor that content wrote; throws `invalid_cursor`. */
export function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  try {
    return SearchPosition.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))[1]
  } catch {
    throw new AppError('invalid_cursor')
  }
}
