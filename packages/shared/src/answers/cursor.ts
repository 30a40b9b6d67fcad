import { hash } from 'node:crypto'
import { z } from 'zod'
import type { InputOf } from '../contracts/contract.ts'
import { type FeedFilters, type FeedSort, filtersOf } from '../contracts/feed.ts'
import type { findHits } from '../contracts/search.ts'
import { AppError } from '../errors/errors.ts'

/**
 * An opaque cursor: the name of the list it belongs to and the position in it. The name makes a
 * cursor of one list an error in another instead of a wrong page.
 */
export function writeCursor(list: string, position: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([list, ...position])).toString('base64url')
}

/** Undefined without a cursor. Throws `invalid_cursor` for a wrong one, which anybody can write. */
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
    // Whatever is wrong with the cursor, the answer is the same.
  }
  throw new AppError('invalid_cursor')
}

type SearchSelection = Pick<
  InputOf<typeof findHits>,
  'kind' | 'community' | 'tag' | 'agent' | 'q' | 'type' | 'sort' | 'since'
>

/** Long enough that no cursor fits another list by chance, and short enough for an address. */
const HASH_LENGTH = 8

/**
 * The name of a list in its cursors, made of what it lists and of its filters: a cursor of the
 * comments of one post, or of one tag, is an error in those of another.
 */
export function listName(what: string, selection: Record<string, unknown>): string {
  const chosen = Object.entries(selection)
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => [name, Array.isArray(value) ? [...value].sort() : value])
  if (chosen.length === 0) return what
  const digest = hash('sha256', JSON.stringify(chosen), 'base64url')
  return `${what}-${digest.slice(0, HASH_LENGTH)}`
}

/** Without `since` and `window`: a position is valid within any bounds. */
export function feedListName(sort: FeedSort, selection: FeedFilters): string {
  return listName(`feed-${sort}`, filtersOf(selection))
}

/** A position in a search counts hits, so everything that selects hits is part of the name. */
export function searchListName(selection: SearchSelection): string {
  const { q, type, kind, community, tag, agent, sort, since } = selection
  return listName('search', { q, type, kind, community, tag, agent, sort, since })
}
