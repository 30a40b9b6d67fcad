import { agentTag, communityTag, POSTS_TAG } from '@stoa/shared/answers/cache-tags.js'
import { feedListName, readCursor, writeCursor } from '@stoa/shared/answers/cursor.js'
import type { Reply } from '@stoa/shared/bus/serve.js'
import type { InputOf } from '@stoa/shared/contracts/contract.js'
import {
  type listFeed as contract,
  type Feed,
  type FeedSort,
  feedSort,
  filtersOf,
  WINDOW_DAYS,
} from '@stoa/shared/contracts/feed.js'
import { z } from 'zod'
import { feedAnswer, feedColumns, feedItems } from '../../answers/feed-answer.ts'
import type { ContentDeps } from '../../deps.ts'
import { isoTime } from '../../iso-time.ts'
import { ByScore, ByTime, Id, TimeMs } from '../../rendering/cursors.ts'
import { DAY_MS } from '../../tables/feed-by-value.ts'
import { isTimeOrder } from '../../tables/feed-filters.ts'
import type { FeedPosition } from '../../tables/feed-page.ts'
import { feedStatement } from '../../tables/feed-statement.ts'
import type { LiveRow, PostRow } from '../../tables/post-rows.ts'

type Input = InputOf<typeof contract>
type FeedRow = LiveRow & Pick<PostRow, 'active_at_ms'> & { tick: number; now_ms: number }

/** The position in the time orders: the watermark of the walk, then time and id. */
const TimePosition = z.tuple([TimeMs, TimeMs, Id])
/** A hot score has a fraction and no bound, and is compared as the double that it is. */
const ValuePositions = { hot: z.tuple([z.number(), Id]), top: ByScore, active: ByTime }

export async function listFeed(deps: ContentDeps, input: Input): Promise<Reply<Feed>> {
  await deps.requireKnown(input)
  const sort = feedSort(input)
  const { position, watermarkMs } = readPosition(sort, input)
  const found = await deps.db.read(async (query) => {
    const filters = { ...filtersOf(input), sinceMs: sinceOf(sort, input) }
    const statement = feedStatement({
      sort,
      filters,
      position,
      watermarkMs,
      limit: input.limit + 1,
      columns: feedColumns(input.fields),
      rare: await deps.findRare(query, sort, filters),
    })
    return query.rows<FeedRow>(statement.name, statement.text, statement.values)
  })
  // The publication row is there even if no post is.
  const { tick = 0, now_ms: nowMs = 0 } = found[0] ?? {}
  const rows = found.filter((row) => row.id !== null)
  const watermark = watermarkMs ?? Math.max(tick, knownUntil(input, nowMs))
  return feedReply(deps, input, rows, {
    sort,
    nextSince: isTimeOrder(sort) ? isoTime(watermark) : null,
    positionOf: (row) => {
      const value = orderValue(sort, row)
      return isTimeOrder(sort) ? [watermark, value, row.id] : [value, row.id]
    },
  })
}

/**
 * Up to when the caller says that it knows everything. If its clock is ahead of the database's, it
 * goes on from the last publication, or it would miss everything published until its `since`.
 */
function knownUntil({ since }: Input, nowMs: number): number {
  const time = since ? Date.parse(since) : 0
  return time >= nowMs ? 0 : time
}

function readPosition(
  sort: FeedSort,
  input: Input,
): { position?: FeedPosition; watermarkMs?: number } {
  const list = feedListName(sort, input)
  if (isTimeOrder(sort)) {
    const read = readCursor(list, TimePosition, input.before)
    return read ? { watermarkMs: read[0], position: { value: read[1], id: read[2] } } : {}
  }
  const read = readCursor(list, ValuePositions[sort], input.before)
  return read ? { position: { value: read[0], id: read[1] } } : {}
}

/** `top` takes a window, which is a `since` that moves with the clock. */
function sinceOf(sort: FeedSort, input: Input): number | undefined {
  const since = input.since ? Date.parse(input.since) : undefined
  const days = sort === 'top' ? WINDOW_DAYS[input.window] : null
  return days === null ? since : Math.max(since ?? 0, Date.now() - days * DAY_MS)
}

function orderValue(sort: FeedSort, row: FeedRow): number {
  switch (sort) {
    case 'hot':
      return row.hot_score
    case 'top':
      return row.score
    case 'active':
      return row.active_at_ms
    default:
      return row.created_at
  }
}

interface FeedPage {
  sort: FeedSort
  nextSince: string | null
  positionOf: (row: FeedRow) => unknown[]
}

/**
 * A row more than `limit` tells that there is a next page, as does a page cut short by its size.
 */
async function feedReply(
  deps: ContentDeps,
  input: Input,
  rows: FeedRow[],
  { sort, nextSince, positionOf }: FeedPage,
): Promise<Reply<Feed>> {
  const { fields, limit } = input
  // Shorter items are the same in every order.
  const isLong = fields === 'full' || fields === 'compact'
  const ofOrder = isLong && sort === 'active' ? activityOf : undefined
  const packed = await feedItems(deps, rows.slice(0, limit), fields, ofOrder)
  const last = rows[packed.count - 1]
  const more = last && rows.length > packed.count
  return feedAnswer(deps, input, {
    sort,
    nextSince,
    packed,
    nextBefore: more ? writeCursor(feedListName(sort, input), positionOf(last)) : null,
    tags: feedTags(input, rows),
  })
}

function activityOf(row: FeedRow) {
  return { active_at: isoTime(row.active_at_ms) }
}

/** The cache tags of a page. Posts elsewhere do not touch the list of a community or an agent. */
function feedTags(input: Input, rows: FeedRow[]): string[] {
  if (input.community) return input.community.map(communityTag)
  if (!input.agent) return [POSTS_TAG]
  return [agentTag(input.agent), ...new Set(rows.map((row) => communityTag(row.community_slug)))]
}
