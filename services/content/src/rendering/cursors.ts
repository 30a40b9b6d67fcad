import { writeCursor } from '@stoa/shared/answers/cursor.js'
import type { RawJson } from '@stoa/shared/bus/raw-json.js'
import { PAGE_BYTES_MAX } from '@stoa/shared/contracts/common.js'
import { TIME_MAX } from '@stoa/shared/contracts/text.js'
import { ANY_ID } from '@stoa/shared/identifiers/ids.js'
import { z } from 'zod'
import { fittingItems, HEAD_BYTES, listJson, listStart } from './pack-items.ts'

/**
 * The parts of cursors. Anybody can write a cursor, so each part must fit the column that it is
 * compared with: PostgreSQL fails on a number out of range and on a NUL in a text.
 */
export const TimeMs = z.int().min(0).max(TIME_MAX)
const Score = z.int32()
export const Id = z.string().regex(ANY_ID)
export const KnownSlug = z.string().regex(/^[a-z0-9-]{1,64}$/)

/** The position in lists ordered by a time and then an id. */
export const ByTime = z.tuple([TimeMs, Id])
/** The position in lists of pairs, ordered by a time and then the ids of both. */
export const ByTimeOfPairs = z.tuple([TimeMs, Id, Id])
/** The position in lists ordered by a score and then an id. */
export const ByScore = z.tuple([Score, Id])

interface Page<More> {
  object: string
  list: string
  baseUrl: string
  path: string
  /** Query parameters that the next page's address repeats, without `before`. */
  query?: Record<string, string | number | string[] | undefined>
  /** Other fields of the answer. */
  more?: More
  /** Where the next page begins if these rows are all that was found so far. */
  walkedTo?: readonly unknown[] | undefined
}

/** The fields of every list; see `listOf` in shared's contracts. */
export interface List<Item> {
  object: string
  count: number
  next_before: string | null
  next_url: string | null
  items: Item[]
}

/**
 * A list's answer as JSON. Pass one row more than `limit`: that row tells whether there is a next
 * page, and is not shown. A page that would grow too large, or take too long, ends early.
 */
export function page<Row, Item, More extends object = object>(
  about: Page<More>,
  rows: Row[],
  limit: number,
  render: (row: Row) => Item,
  positionOf: (row: Row) => readonly unknown[],
): RawJson<List<Item> & More> {
  const fitting = fittingItems(rows, { render, max: limit, share: PAGE_BYTES_MAX - HEAD_BYTES })
  const count = fitting.items.length
  const last = rows[count - 1]
  const end = rows.length > count && last ? positionOf(last) : about.walkedTo
  const next = end ? writeCursor(about.list, end) : null
  const head: Omit<List<Item>, 'items'> = {
    object: about.object,
    count,
    next_before: next,
    next_url: next === null ? null : nextUrl(about, next),
    ...about.more,
  }
  return listJson(listStart(head), fitting)
}

export function nextUrl(
  { baseUrl, path, query = {} }: Pick<Page<object>, 'baseUrl' | 'path' | 'query'>,
  before: string,
) {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  parameters.set('before', before)
  return `${baseUrl}${path}?${parameters}`
}
