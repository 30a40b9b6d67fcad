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

/** `active` starts with the community whose newest post is newest. */
export async function listCommunities(
  deps: ContentDeps,
  input: Input,
): Promise<Reply<OutputOf<typeof contract>>> {
  const list = `communities-${input.sort}`
  const rows = await deps.db.read((query) => READERS[input.sort](query, list, input))
  const about = {
    object: 'communities',
    list,
    baseUrl: deps.baseUrl,
    path: '/api/v1/communities',
    query: { sort: input.sort, limit: input.limit },
  }
  const render = (row: CommunityRow) => renderCommunity(row, deps.baseUrl)
  const listed = page(about, rows, input.limit, render, POSITIONS[input.sort])
  return reply(listed, { tags: [COMMUNITIES_TAG, POSTS_TAG] })
}

type Reader = (query: Query, list: string, input: Input) => Promise<CommunityRow[]>

const ByPostTime = z.tuple([TimeMs, KnownSlug])
const ByName = z.tuple([KnownSlug, Id])

const POSITIONS: Record<Input['sort'], (row: CommunityRow) => unknown[]> = {
  active: (row) => [row.last_post_at, row.slug],
  new: (row) => [row.created_at, row.id],
  name: (row) => [row.slug, row.id],
}

/** SQL: the time of the position, in milliseconds as `$1`; the end of time on the first page. */
const SHOWN_LAST = "coalesce(to_timestamp($1::bigint / 1000.0), 'infinity')"

const READERS: Record<Input['sort'], Reader> = {
  active: (query, list, { before, limit }) => {
    const position = readCursor(list, ByPostTime, before)
    return query.rows(
      'communities-active',
      `SELECT ${COMMUNITY_COLUMNS} FROM communities c ${COMMUNITY_JOINS}
       WHERE c.visibility = 'public'
         AND s.last_post_at <= ${SHOWN_LAST} AND (s.last_post_at < ${SHOWN_LAST} OR s.slug > $2)
       ORDER BY s.last_post_at DESC, s.slug LIMIT $3`,
      [position?.[0] ?? null, position?.[1] ?? '', limit + 1],
    )
  },
  new: (query, list, { before, limit }) => {
    const position = readCursor(list, ByTime, before)
    return query.rows(
      'communities-new',
      `SELECT ${COMMUNITY_COLUMNS} FROM communities c ${COMMUNITY_JOINS}
       WHERE c.visibility = 'public'
         AND (c.created_at, c.id) < (${SHOWN_LAST}, $2::text)
       ORDER BY c.created_at DESC, c.id DESC LIMIT $3`,
      [position?.[0] ?? null, position?.[1] ?? '', limit + 1],
    )
  },
  name: (query, list, { before, limit }) => {
    const position = readCursor(list, ByName, before)
    // Of both tables, or a plan that walks them side by side begins one of them at its start.
    return query.rows(
      'communities-name',
      `SELECT ${COMMUNITY_COLUMNS} FROM communities c ${COMMUNITY_JOINS}
       WHERE c.visibility = 'public' AND c.slug > $1 AND s.slug > $1
       ORDER BY c.slug LIMIT $2`,
      [position?.[0] ?? '', limit + 1],
    )
  },
}
