import { AppError } from '@stoa/shared/errors.js'
import { z } from 'zod'

/** The last post of a page: its score, in full precision, and its id. */
export type HotPosition = [score: number, id: string]

/** The list's name makes a cursor of another list an error; content reads and writes the same form. */
const LIST = 'feed-hot'
const HotCursor = z.tuple([z.literal(LIST), z.number(), z.string().min(1).max(64)])

export function writeHotCursor(position: HotPosition): string {
  return Buffer.from(JSON.stringify([LIST, ...position])).toString('base64url')
}

/** Throws `invalid_cursor`. */
export function readHotCursor(cursor: string): HotPosition {
  try {
    const [, ...position] = HotCursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return position
  } catch {
    throw new AppError('invalid_cursor')
  }
}
