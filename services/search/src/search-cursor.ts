import { SEARCH_DEPTH_MAX } from '@stoa/shared/contracts/search.js'
import { AppError } from '@stoa/shared/errors.js'
import { z } from 'zod'

const SearchPosition = z.tuple([z.string(), z.int().min(0).max(SEARCH_DEPTH_MAX)])

/** How many hits come before the page of a cursor that content wrote; throws `invalid_cursor`. */
export function offsetOf(list: string, cursor: string | undefined): number {
  if (cursor === undefined) return 0
  try {
    const json = Buffer.from(cursor, 'base64url').toString()
    const [name, offset] = SearchPosition.parse(JSON.parse(json))
    if (name === list) return offset
  } catch {
    // Whatever is wrong with it, the answer is the same.
  }
  throw new AppError('invalid_cursor')
}
