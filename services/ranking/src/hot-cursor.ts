import { AppError } from '@stoa/shared/errors.js'
import { z } from 'zod'

/** The last post of a page: its score, in full precision, and its id. */
export type HotPosition = [score: number, id: string]

/** The list's name makes a cursor of another list an error; content reads and writes the same form. */
const HotCursor = z.tuple([z.string(), z.number(), z.string().min(1).max(64)])

export function writeHotCursor(list: string, position: HotPosition): string {
  return Buffer.from(JSON.stringify([list, ...position])).toString('base64url')
}

/** Throws `invalid_cursor`. */
export function readHotCursor(list: string, cursor: string): HotPosition {
  try {
    const read = HotCursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    const [name, ...position] = read
    if (name === list) return position
  } catch {
    // Whatever is wrong with it, the answer is the same.
  }
  throw new AppError('invalid_cursor')
}
