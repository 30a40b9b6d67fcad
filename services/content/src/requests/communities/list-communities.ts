import { COMMUNITIES_TAG, POSTS_TAG } from '@stoa/shared/answers/cache-tags.js'
import { readCursor } from '@stoa/shared/answers/cursor.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { listCommunities as contract } from '@stoa/shared/contracts/communities.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { z } from 'zod'
import type { ContentDeps } from '../../deps.ts'
import { renderCommunity } from '../../rendering/community.ts'
import { ByTime, Id, KnownSlug, page, TimeMs } from '../../rendering/cursors.ts'
import {
  COMMUNITY_COLUMNS,
  COMMUNITY_JOINS,
  type CommunityRow,
} from '../../tables/community-rows.ts'
import type { Query } from '../../transaction.ts'

type Input = InputOf<typeof contract>

/** The order `active` starts with the community that has the newest post. */
export async function listCommunities(
  deps: ContentDeps,
  input: Input,
): Promise<Reply<OutputOf<typeof contract>>> {
  const list = `communities-${input.sort}`
  const rows = await deps.db.read((query) => readCommunities(query, input, list))
  const about = {
    object: 'communities',
    list,
    baseUrl: deps.baseUrl,
    path: '/api/v1/communities',
    query: { sort: input.sort, limit: input.limit },
  }
  const render = (row: CommunityRow) => renderCommunity(row, deps.baseUrl)
  const listed = page(about, rows, input.limit, render, ORDERS[input.sort].positionOf)
  return reply(listed, { tags: [COMMUNITIES_TAG, POSTS_TAG] })
}

/** SQL: the time of the position, from milliseconds in `$2`; on the first page, the end of time. */
const SHOWN_LAST = "coalesce(to_timestamp($2::bigint / 1000.0), 'infinity')"

interface Order {
  position: z.ZodTuple
  positionOf: (row: CommunityRow) => unknown[]
  /** SQL: the rows after the position, whose parts are `$2` and `$3`. */
  after: string
  /** The position before all rows, with as many parts as `after` has parameters. */
  start: unknown[]
  by: string
}

const ORDERS: Record<Input['sort'], Order> = {
  active: {
    position: z.tuple([TimeMs, KnownSlug]),
    positionOf: (row) => [row.last_post_at, row.slug],
    after: `s.last_post_at <= ${SHOWN_LAST} AND (s.last_post_at < ${SHOWN_LAST} OR s.slug > $3)`,
    start: [null, ''],
    by: 's.last_post_at DESC, s.slug',
  },
  new: {
    position: ByTime,
    positionOf: (row) => [row.created_at, row.id],
    after: `(c.created_at, c.id) < (${SHOWN_LAST}, $3::text)`,
    start: [null, ''],
    by: 'c.created_at DESC, c.id DESC',
  },
  name: {
    position: z.tuple([KnownSlug, Id]),
    positionOf: (row) => [row.slug, row.id],
    // Bounds both tables: otherwise a plan that merges them starts one of them at its beginning.
    after: 'c.slug > $2 AND s.slug > $2',
    start: [''],
    by: 'c.slug',
  },
}

function readCommunities(query: Query, { sort, limit, before }: Input, list: string) {
  const { position: shape, after, start, by } = ORDERS[sort]
  const position = readCursor(list, shape, before)
  return query.rows<CommunityRow>(
    `communities-${sort}`,
    `SELECT ${COMMUNITY_COLUMNS} FROM communities c ${COMMUNITY_JOINS}
     WHERE c.visibility = 'public' AND ${after} ORDER BY ${by} LIMIT $1`,
    [limit + 1, ...start.map((first, i) => position?.[i] ?? first)],
  )
}
