import { feedListName, readCursor, writeCursor } from '@stoa/shared/answers/cursor.js'
import { reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { listHot } from '@stoa/shared/contracts/feed.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { ANY_ID } from '@stoa/shared/identifiers/ids.js'
import { z } from 'zod'
import { type HotPage, type Place, readPage } from './hot-store.ts'
import type { Worker } from './worker.ts'

type Hot = OutputOf<typeof listHot>

/**
 * The last post of a page: its score, in full precision, and its id. Content goes on from here too.
 */
const Position = z.tuple([z.number(), z.string().regex(ANY_ID)])

const NOT_HERE: Hot = { object: 'hot', ranked: null, next_before: null }

interface HotDeps extends Place {
  worker: Pick<Worker, 'standsStill'>
}

/**
 * A page of the hot order. `ranked` is null when nothing has been built, if the sets may have gaps,
 * and while Redis refuses writes, because votes and new posts still change the order that content
 * keeps. Throws `invalid_cursor`, and `unavailable` when Redis is away.
 */
export async function onListHot(
  deps: HotDeps,
  { community, before, limit }: InputOf<typeof listHot>,
) {
  const list = feedListName('hot', { community: community === undefined ? [] : [community] })
  const after = readCursor(list, Position, before)
  if (deps.worker.standsStill) return reply(NOT_HERE)
  const page = await readPage(deps, community, limit + 1, after).catch((error: unknown) => {
    throw new AppError('unavailable', { retry_after_seconds: 1 }, { cause: error })
  })
  return reply<Hot>(page ? toAnswer(page, list, limit) : NOT_HERE)
}

function toAnswer({ posts, hasFloor }: HotPage, list: string, limit: number): Hot {
  if (hasFloor && posts.length < limit) return NOT_HERE
  const ranked = posts.slice(0, limit)
  const last = ranked.at(-1)
  const goesOn = hasFloor || posts.length > limit
  const next = goesOn && last ? writeCursor(list, [last[1], last[0]]) : null
  return { object: 'hot', ranked, next_before: next }
}
