import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { FeedSort, listFeed } from '@stoa/shared/contracts/feed.js'
import { POST_KINDS } from '@stoa/shared/contracts/posts.js'
import { loadCorpus } from '../../../../../bench/corpus/load.mjs'
import { Random } from '../../../../../bench/corpus/random.mjs'
import type { FeedFilters } from '../../tables/feed-filters.ts'
import { ContentUnderTest } from '../../testing/content-under-test.ts'
import { cursorBehind, feedByDefinition, type Listed } from '../../testing/feed-by-definition.ts'

/** More posts than any walk reads. */
const SIZE = { posts: 24_000, comments: 0, votes: 24_000, agents: 100, seed: 1, words: false }
const ROUNDS = 20
const PAGES_MAX = 5
const HOUR_MS = 3_600_000

let content: ContentUnderTest
const names = { tags: [] as string[], slugs: [] as string[], handles: [] as string[] }
const random = new Random(1)

beforeAll(async () => {
  content = await ContentUnderTest.start()
  await loadCorpus(content.databaseUrl, { ...SIZE, untilMs: Date.now() - 60_000 }, () => {})
  await content.db.query(
    `WITH hidden AS (UPDATE posts SET visibility = 'removed' WHERE id LIKE '%7' RETURNING id)
     UPDATE post_stats SET visible = false FROM hidden WHERE post_id = hidden.id`,
  )
  await content.db.query('VACUUM ANALYZE')
  const column = async (text: string) =>
    (await content.db.query({ text, rowMode: 'array' })).rows.map(([name]) => name as string)
  names.tags = await column('SELECT tag FROM post_tags GROUP BY 1 ORDER BY count(*), 1')
  names.slugs = await column('SELECT DISTINCT community_slug FROM posts ORDER BY 1')
  names.handles = await column('SELECT handle FROM agents ORDER BY 1')
})

afterAll(() => content.stop())

function someOf<T>(all: readonly T[]): T[] {
  return Array.from({ length: random.pick([1, 1, 2, 3]) }, () => random.pick(all))
}

function anyFilters(): FeedFilters {
  const hours = random.pick([-1, 0.01, 24, 24 * 20, 24 * 40, 24 * 200, 24 * 365 * 50])
  const given: FeedFilters = {
    kind: someOf(POST_KINDS),
    community: someOf(names.slugs),
    tag: someOf(random.pick([names.tags, names.tags.slice(-9), ['nothing']])),
    agent: random.pick(names.handles),
    sinceMs: Date.now() - hours * HOUR_MS,
  }
  return Object.fromEntries(Object.entries(given).filter(() => random.pick([true, false, false])))
}

/** Follows pages of random lengths after a cursor, and answers their ids. */
async function follow(sort: FeedSort, { sinceMs, ...filters }: FeedFilters, from?: string) {
  const since = sinceMs === undefined ? {} : { since: new Date(sinceMs).toISOString() }
  const list = {
    sort,
    ...filters,
    ...since,
    limit: random.pick([1, 7, 100]),
    fields: 'ids',
  } as const
  const ids: string[] = []
  let before = from
  for (let page = 0; page < PAGES_MAX; page++) {
    const { data } = await content.ask(listFeed, before ? { ...list, before } : list)
    ids.push(...data.items.map(({ id }) => id))
    if (data.next_before === null) return { ids, isWhole: true }
    before = data.next_before
  }
  return { ids, isWhole: false }
}

it.each(FeedSort.options)(
  'the pages of the %s feed with any filters hold each post once, in the right order',
  async (sort) => {
    for (let round = 0; round < ROUNDS; round++) {
      const filters = anyFilters()
      const all = await feedByDefinition(content.db, sort, filters)
      const start = random.pick([0, random.int(all.length + 1), Math.max(all.length - 3, 0)])
      const last = all[start - 1]

      const before = last && cursorBehind(sort, filters, last)
      const { ids, isWhole } = await follow(sort, filters, before)

      const expected = all.slice(start, isWhole ? undefined : start + ids.length)
      expect({ filters, start, ids }).toEqual({ filters, start, ids: expected.map(({ id }) => id) })
    }
  },
)

it.each(['hot', 'top', 'active'] as const)(
  'the last pages of the %s feed of the newer posts hold its last posts, and no older ones',
  async (sort) => {
    const sinceMs = (await feedByDefinition(content.db, 'new', {}))[12_000]?.value as number
    const [last, ...more] = (await feedByDefinition(content.db, sort, { sinceMs })).slice(-3)

    const before = cursorBehind(sort, { sinceMs }, last as Listed)
    const { ids } = await follow(sort, { sinceMs }, before)

    expect(ids).toEqual(more.map(({ id }) => id))
  },
)
