import { AppError } from '@stoa/shared/errors.js'
import { z } from 'zod'

/** The last post of a page: its score, in full precision, and its id. */
export type HotPosition = [score: number, id: string]

const HotPosition = z.tuple([z.number(), z.string().min(1).max(64)])

export function writeHotCursor(position: HotPosition): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** Throws `invalid_cursor`. */
export function readHotCursor(cursor: string): HotPosition {
  try {
    return HotPosition.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch {
    throw new AppError('invalid_cursor')
  }
}
