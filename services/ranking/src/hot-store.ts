import type { StreamPosition } from '@stoa/shared/bus/stream-state.js'
import type { RankPost } from '@stoa/shared/contracts/events.js'
import { type HotSettings, hotScore } from '@stoa/shared/hot-order/hot-score.js'
import { randomToken } from '@stoa/shared/identifiers/ids.js'
import { piecesOf } from '@stoa/shared/process/pieces.js'
import type { Redis } from 'ioredis'
import { GENERATION_KEYS, type Keys, SENTINEL } from './keys.ts'
import { runScript } from './lua.ts'
import { APPLY, DROP, IS_WHOLE, PAGE, SWAP } from './scripts.ts'

interface HotLimits {
  globalMax: number
  communityMax: number
}

/** Where ranking keeps all its data. */
export interface Place {
  redis: Redis
  keys: Keys
}

export interface HotStore extends Place {
  limits: HotLimits
  hot: HotSettings
}

/** How far the served generation has read the RANK stream. */
export interface Marker extends StreamPosition {
  generation: string
}

export type Outcome = 'ok' | 'lost' | 'superseded' | 'vanished'

interface Applied {
  outcome: Outcome
  /** Communities in which a post came or went; votes only move posts. */
  communities: string[]
}

/** How many removed posts are remembered, so that a late event cannot bring them back. */
export const GONE_MAX = 10_000
/** A script blocks every other client of Redis: about 5 ms for this many posts. */
const SCRIPT_POSTS_MAX = 500

/** The generation served, or undefined when nothing has been built or the store was wiped. */
export async function readMarker({ redis, keys }: Place): Promise<Marker | undefined> {
  const [generation, position, stream] = await redis.hmget(
    keys.marker,
    'generation',
    'position',
    'stream',
  )
  if (!generation) return undefined
  return { generation, position: Number(position), stream: stream ?? '' }
}

/** Applies the events after the marker's position up to `to`, and moves it there, in one step. */
export function applyLive(
  store: HotStore,
  token: string,
  { generation, position: from }: Marker,
  posts: RankPost[],
  to: number,
): Promise<Applied> {
  return apply(store, token, { mode: 'live', generation, from, to }, posts)
}

/**
 * Adds a page of a snapshot to a generation that is being built and already holds `filled` posts.
 */
export async function fill(
  store: HotStore,
  token: string,
  generation: string,
  posts: RankPost[],
  filled: number,
): Promise<Outcome> {
  let from = filled
  for (const part of piecesOf(posts, SCRIPT_POSTS_MAX)) {
    const to = from + part.length
    const { outcome } = await apply(store, token, { mode: 'build', generation, from, to }, part)
    if (outcome !== 'ok') return outcome
    from = to
  }
  return 'ok'
}

/** The position of a generation, in the stream or the snapshot, before and after a step. */
interface Step {
  mode: 'live' | 'build'
  generation: string
  from: number
  to: number
}

async function apply(
  { redis, keys, limits, hot }: HotStore,
  token: string,
  { mode, generation, from, to }: Step,
  posts: RankPost[],
): Promise<Applied> {
  const args: (string | number)[] = [token, keys.generationPrefix, generation, mode, from, to]
  args.push(limits.globalMax, limits.communityMax, GONE_MAX)
  for (const post of posts) {
    const score = hotScore(post, hot)
    args.push(post.post_id, post.community_slug, score, post.visible ? 1 : 0, post.revision)
  }
  const { lease, marker, generations } = keys
  const answer = await runScript(redis, APPLY, [lease, marker, generations], args)
  const [outcome, ...communities] = answer as [Outcome, ...string[]]
  // The set of the whole forum has the empty name.
  return { outcome, communities: communities.filter(Boolean) }
}

/** Registers a generation, so that its keys are found again even if its builder dies. */
export async function beginGeneration({ redis, keys }: HotStore): Promise<string> {
  const generation = `${Date.now().toString(36)}-${randomToken(4)}`
  await redis.sadd(keys.generations, generation)
  const root = `${keys.generationPrefix}${generation}:`
  await redis.hset(`${root}revisions`, SENTINEL, '')
  await redis.hset(`${root}floors`, SENTINEL, '')
  await redis.sadd(`${root}sets`, SENTINEL)
  return generation
}

/** Whether Redis has every key of the generation served. A full Redis may be set to drop some. */
export async function isWhole({ redis, keys }: Place): Promise<boolean> {
  return (await runScript(redis, IS_WHOLE, [keys.marker], [keys.generationPrefix])) === 1
}

/**
 * Ends a rebuild: serves its generation of `filled` posts, at the position its snapshot began at.
 */
export async function serveGeneration(
  { redis, keys }: HotStore,
  token: string,
  { generation, position, stream }: Marker,
  filled: number,
): Promise<Outcome> {
  const { generationPrefix } = keys
  return (await runScript(
    redis,
    SWAP,
    [keys.lease, keys.marker, keys.generations, keys.rebuild],
    [token, generationPrefix, generation, filled, position, stream],
  )) as Outcome
}

/** A script blocks Redis while it unlinks names; the memory behind them is freed afterwards. */
const SETS_DROPPED_AT_ONCE = 500

/**
 * Deletes every generation except the one served: earlier ones, and those left by rebuilds that
 * failed or died. Does nothing while another worker holds the lease, since it may be building one.
 */
export async function dropUnserved({ redis, keys }: HotStore, token: string): Promise<void> {
  const { lease, marker, generations, generationPrefix } = keys
  const where = [lease, marker, generations]
  const args = [token, generationPrefix, SETS_DROPPED_AT_ONCE, ...GENERATION_KEYS]
  while ((await runScript(redis, DROP, where, args)) === 1);
}

export interface HotPage {
  posts: [id: string, score: number][]
  /** Whether posts were cut off below what the set holds. */
  hasFloor: boolean
}

/**
 * At most `count` posts after `after`; undefined when nothing has been built, or keys are missing.
 */
export async function readPage(
  { redis, keys }: Place,
  community: string | undefined,
  count: number,
  after: [score: number, id: string] | undefined,
): Promise<HotPage | undefined> {
  const set = community === undefined ? '' : `:${community}`
  const [score, id] = after ?? ['', '']
  const args = [keys.generationPrefix, set, count, score, id]
  const answer = await runScript(redis, PAGE, [keys.marker], args)
  if (!answer) return undefined
  const [hasFloor, flat] = answer as [number, string[]]
  const posts: [string, number][] = []
  for (let at = 0; at < flat.length; at += 2) posts.push([flat[at] as string, Number(flat[at + 1])])
  return { posts, hasFloor: hasFloor === 1 }
}
