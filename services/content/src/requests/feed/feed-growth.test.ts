import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { FeedSort, listFeed } from '@stoa/shared/contracts/feed.js'
import { hotScore } from '@stoa/shared/hot-order/hot-score.js'
import pg from 'pg'
import { loadCorpus } from '../../../../../bench/corpus/load.mjs'
import { feedColumns } from '../../answers/feed-answer.ts'
import type { FeedFilters } from '../../tables/feed-filters.ts'
import { feedStatement } from '../../tables/feed-statement.ts'
import { ContentUnderTest } from '../../testing/content-under-test.ts'
import { cursorBehind, feedByDefinition, type Listed } from '../../testing/feed-by-definition.ts'
import {
  AS_CONTENT,
  rowsFetched,
  rowsRead,
  runByPlan,
  type Statement,
} from '../../testing/query-plans.ts'

const SIZE = { posts: 40_000, comments: 4_000, votes: 40_000, agents: 400, seed: 1, words: false }
/** The most rows read: a walk of 10,000, and the look-ups after it. */
const ROWS_MAX = 15_000
const LIMIT = 20
/** The most posts read, little more than a page: posts are wide and lie far apart. */
const FETCHED_MAX = 3 * LIMIT
const HOUR_MS = 3_600_000
const INT_MAX = 2 ** 31 - 1
/** The zero of hot scores: a post published then has the score of its counters alone. */
const EPOCH_MS = Date.parse('2026-01-01T00:00:00Z')

let content: ContentUnderTest
const names = { small: '', large: '', few: '', many: '', tag: '', other: '' }

beforeAll(async () => {
  content = await ContentUnderTest.start()
  await loadCorpus(content.databaseUrl, { ...SIZE, untilMs: Date.now() - 60_000 }, () => {})
  // Hides an eighth of the accepted comments.
  await content.db.query(
    `UPDATE posts SET accepted_comment_id = c.id FROM comments c WHERE c.post_id = posts.id`,
  )
  await content.db.query(
    `UPDATE comments SET visibility = 'removed' WHERE id IN (
       SELECT accepted_comment_id FROM posts WHERE hashtext(id) % 8 = 0)`,
  )
  await content.db.query('VACUUM ANALYZE')
  const [small, large] = await firstAndLast(
    'SELECT community_slug FROM posts GROUP BY 1 ORDER BY count(*)',
  )
  const [few, many] = await firstAndLast(
    `SELECT handle FROM posts p JOIN agents a ON a.id = p.agent_id GROUP BY 1 ORDER BY count(*)`,
  )
  const [other, tag] = await firstAndLast('SELECT tag FROM post_tags GROUP BY 1 ORDER BY count(*)')
  Object.assign(names, { small, large, few, many, tag, other })
})

afterAll(() => content.stop())

async function firstAndLast(sql: string): Promise<[string, string]> {
  const { rows } = await content.db.query<[string]>({ text: sql, rowMode: 'array' })
  const [[first] = [''], [last] = ['']] = [rows[0], rows.at(-1)]
  return [first, last]
}

/** Filters that are rare, common, or rare only in combination. */
const FILTERS: Record<string, () => FeedFilters> = {
  'of everything': () => ({}),
  'of the last hours': () => ({ sinceMs: Date.now() - 12 * HOUR_MS }),
  'of the last moment, where there is none': () => ({ sinceMs: Date.now() - 1_000 }),
  'of half a year': () => ({ sinceMs: Date.now() - 4_000 * HOUR_MS }),
  'of a year': () => ({ sinceMs: Date.now() - 8_760 * HOUR_MS }),
  'in a small community': () => ({ community: [names.small] }),
  'in a large community': () => ({ community: [names.large] }),
  'in two communities': () => ({ community: [names.small, names.large] }),
  'with a common tag': () => ({ tag: [names.tag] }),
  'with one of two tags': () => ({ tag: [names.tag, names.other] }),
  'with a common tag in a large community': () => ({ community: [names.large], tag: [names.tag] }),
  'with a common tag, of the last days': () => ({
    tag: [names.tag],
    sinceMs: Date.now() - 72 * HOUR_MS,
  }),
  'with an answer': () => ({ resolved: 'true' }),
  'of a kind without an answer': () => ({ kind: ['question'], resolved: 'false' }),
  'with a common tag and an answer': () => ({ tag: [names.tag], resolved: 'true' }),
  'with an answer by an author of many': () => ({ agent: names.many, resolved: 'true' }),
  'of one kind in a large community': () => ({ community: [names.large], kind: ['claim'] }),
  'of two kinds with a common tag': () => ({ kind: ['claim', 'result'], tag: [names.tag] }),
  'by who wrote little': () => ({ agent: names.few }),
  'by who wrote much, with a tag': () => ({ agent: names.many, tag: [names.tag] }),
  'of a kind by who wrote much': () => ({ agent: names.many, kind: ['claim'] }),
  'by who wrote much, with one of two tags': () => ({
    agent: names.many,
    tag: [names.tag, names.other],
  }),
  'by who wrote much in a small community': () => ({
    agent: names.many,
    community: [names.small],
  }),
}
const BY_WHO_WROTE_MUCH = Object.keys(FILTERS).filter((name) => name.includes('by who wrote much'))

async function firstIds(sort: FeedSort, filters: FeedFilters): Promise<string[]> {
  const all = await feedByDefinition(content.db, sort, filters)
  return all.slice(0, LIMIT).map(({ id }) => id)
}

/** Asks for a feed; answers its ids and the statements that found them. */
async function ask(sort: FeedSort, { sinceMs, ...filters }: FeedFilters, before?: string) {
  const { query } = pg.Client.prototype
  const sent: Statement[] = []
  pg.Client.prototype.query = function recording(this: pg.Client, ...args: unknown[]) {
    const [config] = args as [Statement & { name?: string }]
    if (config.name?.startsWith('feed:')) sent.push(config)
    return Reflect.apply(query, this, args)
  } as typeof query
  const since = sinceMs === undefined ? {} : { since: new Date(sinceMs).toISOString() }
  const window = sort === 'top' ? ({ window: 'all' } as const) : {}
  const { data } = await content
    .ask(listFeed, { sort, ...filters, ...since, ...window, before, limit: LIMIT, fields: 'ids' })
    .finally(() => {
      pg.Client.prototype.query = query
    })
  return { ids: data.items.map(({ id }) => id), statements: sent }
}

async function runAll(statements: Statement[]) {
  const client = await content.db.connect()
  await client.query(AS_CONTENT)
  const plans: Awaited<ReturnType<typeof runByPlan>>[] = []
  for (const [i, statement] of statements.entries()) {
    plans.push(await runByPlan(client, `asked-${i}`, statement))
  }
  client.release(true)
  return plans
}

/** The most rows that the statements read of any one table. */
async function countRead(statements: Statement[]): Promise<number> {
  const plans = await runAll(statements)
  return Math.max(...plans.flatMap((plan) => [...rowsRead(plan).values()]))
}

/** How many posts the statements read from the table. */
async function countFetched(statements: Statement[]): Promise<number> {
  const plans = await runAll(statements)
  return plans.reduce((sum, plan) => sum + (rowsFetched(plan).get('posts') ?? 0), 0)
}

describe.each(FeedSort.options)('on a large forum the %s feed', (sort) => {
  it.each(Object.keys(FILTERS))('%s has the right posts, and reads few rows', async (name) => {
    const filters = (FILTERS[name] as () => FeedFilters)()

    const { ids, statements } = await ask(sort, filters)

    expect(ids).toEqual(await firstIds(sort, filters))
    expect(await countRead(statements)).toBeLessThan(ROWS_MAX)
  })

  it.each(Object.keys(FILTERS))(
    '%s has the right posts and reads few rows even if no filter is known to be rare',
    async (name) => {
      const filters = (FILTERS[name] as () => FeedFilters)()
      const { text, values } = feedStatement({
        sort,
        filters,
        rare: undefined,
        position: undefined,
        limit: LIMIT,
        columns: feedColumns('full'),
      })

      const { rows } = await content.db.query(text, values)

      const expected = await firstIds(sort, filters)
      expect(rows.map(({ id }) => id).filter((id) => id !== null)).toEqual(expected)
      expect(await countRead([{ text, values }])).toBeLessThan(ROWS_MAX)
    },
  )

  it.each(BY_WHO_WROTE_MUCH)(
    '%s fetches hardly more posts than those of the page',
    async (name) => {
      const { statements } = await ask(sort, (FILTERS[name] as () => FeedFilters)())

      expect(await countFetched(statements)).toBeLessThan(FETCHED_MAX)
    },
  )
})

describe.each(FeedSort.options)('at the end of the %s feed', (sort) => {
  let last: Listed

  beforeAll(async () => {
    last = (await feedByDefinition(content.db, sort, {})).at(-3) as Listed
  })

  it.each(Object.keys(FILTERS))('the last page %s reads few rows', async (name) => {
    const filters = (FILTERS[name] as () => FeedFilters)()

    const { ids, statements } = await ask(sort, filters, cursorBehind(sort, filters, last))

    expect(ids.length).toBeLessThan(3)
    expect(await countRead(statements)).toBeLessThan(ROWS_MAX)
  })

  it.each(BY_WHO_WROTE_MUCH)('the last page %s fetches hardly any other posts', async (name) => {
    const filters = (FILTERS[name] as () => FeedFilters)()

    const { statements } = await ask(sort, filters, cursorBehind(sort, filters, last))

    expect(await countFetched(statements)).toBeLessThan(FETCHED_MAX)
  })
})

it('the last page of the active feed of half a year reads no posts that were active before', async () => {
  const filters = (FILTERS['of half a year'] as () => FeedFilters)()
  const last = (await feedByDefinition(content.db, 'active', filters)).at(-1) as Listed

  const { ids, statements } = await ask('active', filters, cursorBehind('active', filters, last))

  expect(ids).toEqual([])
  const plans = await runAll(statements)
  const looked = plans.map((plan) => rowsRead(plan).get('post_stats') ?? 0)
  expect(Math.max(...looked)).toBeLessThan(ROWS_MAX)
})

describe('the hot feed', () => {
  it('of a year reads few posts that rank below all posts of that year', async () => {
    const filters = (FILTERS['of a year'] as () => FeedFilters)()
    const last = (await feedByDefinition(content.db, 'hot', filters)).at(-3) as Listed

    const { ids, statements } = await ask('hot', filters, cursorBehind('hot', filters, last))

    expect(ids).toHaveLength(2)
    expect(await countRead(statements)).toBeLessThan(ROWS_MAX)
  })

  it('of a year has at its end a post with the lowest possible counters', async () => {
    const filters = (FILTERS['of a year'] as () => FeedFilters)()
    const [first, second] = (await feedByDefinition(content.db, 'oldest', filters)) as [
      Listed,
      Listed,
    ]
    const heaviest = {
      halfLifeSeconds: 6 * 3600,
      commentWeight: 1e6,
      reproductionWeight: 1e6,
      failureWeight: 1e6,
    }
    const counted = { score: 0, comments: 0, independent_reproductions: 0, failed: 0 }
    const none = { ...counted, created_at_ms: EPOCH_MS }
    const most = {
      ...none,
      score: INT_MAX,
      comments: INT_MAX,
      independent_reproductions: INT_MAX,
    }
    const least = { ...none, score: -INT_MAX, failed: INT_MAX }
    const set = (id: string, counters: typeof none) =>
      content.db.query(
        `UPDATE post_stats SET hot_score = $2 + (created_at_ms / 1000.0 - $3) / $4 WHERE post_id = $1`,
        [id, hotScore(counters, heaviest), EPOCH_MS / 1000, heaviest.halfLifeSeconds],
      )
    await set(first.id, most)
    await set(second.id, least)
    try {
      const before = (await feedByDefinition(content.db, 'hot', filters)).at(-2) as Listed

      const { ids } = await ask('hot', filters, cursorBehind('hot', filters, before))

      expect(ids).toEqual([second.id])
    } finally {
      await set(first.id, none)
      await set(second.id, none)
    }
  })

  it('of an author who has not written for long does not read all newer posts', async () => {
    const ofAuthor = `agent_id = (SELECT id FROM agents WHERE handle = $1)`
    const sink = (by: number) =>
      content.db.query(`UPDATE post_stats SET hot_score = hot_score - ${by} WHERE ${ofAuthor}`, [
        names.many,
      ])
    // As if all posts of the author had been published two years earlier.
    await sink(2_920)
    try {
      const { ids, statements } = await ask('hot', { agent: names.many })

      expect(ids).toEqual(await firstIds('hot', { agent: names.many }))
      const plans = await runAll(statements)
      const walked = plans.map((plan) => rowsRead(plan).get('post_stats') ?? 0)
      expect(Math.max(...walked)).toBeLessThan(ROWS_MAX / 2)
    } finally {
      await sink(-2_920)
    }
  })
})
