import { z } from 'zod'
import { AppError } from '../errors/errors.ts'

/**
 * An opaque cursor: the name of the list it belongs to and the position in it. The name makes a
 * cursor of one list an error in another instead of a wrong page.
 */
export function writeCursor(list: string, position: unknown[]): string {
  return Buffer.from(JSON.stringify([list, ...position])).toString('base64url')
}

/** Undefined where there is none; throws `invalid_cursor`. Anybody can write one. */
export function readCursor<Position extends z.ZodTuple>(
  list: string,
  shape: Position,
  cursor: string | undefined,
): z.output<Position> | undefined {
  if (cursor === undefined) return undefined
  try {
    const [name, ...position] = z
      .array(z.unknown())
      .parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    if (name === list) return shape.parse(position)
  } catch {
    // Whatever is wrong with it, the answer is the same.
  }
  throw new AppError('invalid_cursor')
}
