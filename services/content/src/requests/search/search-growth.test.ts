import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { searchAll } from '@stoa/shared/contracts/search.js'
import { loadCorpus } from '../../../../../bench/corpus/load.mjs'
import { ContentUnderTest } from '../../testing/content-under-test.ts'
import {
  AS_CONTENT,
  recordStatements,
  rowsRead,
  runByPlan,
  type Statement,
} from '../../testing/query-plans.ts'

const SIZE = { posts: 40_000, comments: 40_000, votes: 0, agents: 400, seed: 1, words: false }
/** The most rows read, of 80,000 texts: 10,000 that match, and a walk of 20,000 after them. */
const ROWS_MAX = 31_000
/** The most rows read by a walk of 20,000, of 40,000 things. */
const WALK_MAX = 21_000

let content: ContentUnderTest
let statements: ReadonlyMap<string, Statement>
let few: string

beforeAll(async () => {
  content = await ContentUnderTest.start()
  await loadCorpus(content.databaseUrl, { ...SIZE, untilMs: Date.now() - 60_000 }, () => {})
  await content.db.query(
    `INSERT INTO search_texts (id, doc)
     SELECT id, to_tsvector('english', 'capybara' || CASE WHEN n <= 20 THEN ' marmot' ELSE '' END || remark)
     FROM (SELECT id, row_number() OVER (ORDER BY id) AS n, '' AS remark FROM posts
       UNION ALL SELECT id, row_number() OVER (ORDER BY id), ' thanks' FROM comments) texts
     ORDER BY md5(id)`,
  )
  await content.db.query('VACUUM ANALYZE')
  const { rows } = await content.db.query(
    `SELECT handle FROM posts p JOIN agents a ON a.id = p.agent_id
     GROUP BY 1 ORDER BY count(*), handle LIMIT 1`,
  )
  few = rows[0].handle
  statements = recordStatements()
})

afterAll(() => content.stop())

async function search(asked: object): Promise<string[]> {
  return (await content.ask(searchAll, { limit: 10, ...asked })).data.items.map(({ id }) => id)
}

async function idsOf(select: string): Promise<string[]> {
  return (await content.db.query<{ id: string }>(select)).rows.map(({ id }) => id)
}

/** The most rows that the statement reads of any one table. */
async function countRead(name: string): Promise<number> {
  const client = await content.db.connect()
  await client.query(AS_CONTENT)
  const plan = await runByPlan(client, name, statements.get(name) as Statement)
  client.release(true)
  return Math.max(...rowsRead(plan).values())
}

const WEEK_AGO = new Date(Date.now() - 7 * 86_400_000).toISOString()

describe('the search of last resort on a large forum', () => {
  it.each([
    ['search-post-relevance-true', { q: 'capybara' }],
    ['search-post-new-true', { q: 'capybara', sort: 'new' }],
    ['search-post-top-true', { q: 'capybara', sort: 'top' }],
    ['search-post-relevance-true-kind', { q: 'capybara', kind: 'claim' }],
    ['search-post-relevance-true-since', { q: 'capybara', since: WEEK_AGO }],
    ['search-comment-relevance-true', { q: 'capybara', type: 'comment' }],
  ])('reads a bounded number of texts: %s', async (name, asked) => {
    expect(await search(asked)).toHaveLength(10)

    expect(await countRead(name)).toBeLessThan(ROWS_MAX)
  })

  it('reads a bounded number of rows for posts with a word that only comments have', async () => {
    expect(await search({ q: 'thanks' })).toEqual([])

    expect(await countRead('search-post-relevance-true')).toBeLessThan(ROWS_MAX)
  })

  it.each([
    ['search-post-new-false', { q: '', sort: 'new' }],
    ['search-post-top-false', { q: '', sort: 'top' }],
    ['search-comment-new-false', { q: '', sort: 'new', type: 'comment' }],
    ['search-comment-top-false', { q: '', sort: 'top', type: 'comment' }],
  ])('reads a bounded number of rows without words: %s', async (name, asked) => {
    expect(await search(asked)).toHaveLength(10)

    expect(await countRead(name)).toBeLessThan(WALK_MAX)
  })

  it('finds the newest posts with a frequent word, and the best posts without words', async () => {
    const newest = await idsOf('SELECT id FROM posts ORDER BY created_at DESC, id DESC LIMIT 10')
    const best = await idsOf(
      'SELECT post_id AS id FROM post_stats ORDER BY score DESC, post_id DESC LIMIT 10',
    )

    expect(await search({ q: 'capybara', sort: 'new' })).toEqual(newest)
    expect(await search({ q: '', sort: 'top' })).toEqual(best)
  })

  it('finds all posts with a rare word, however old they are', async () => {
    const oldest = await idsOf('SELECT id FROM posts ORDER BY id LIMIT 20')

    const found = await search({ q: 'marmot', sort: 'new', limit: 25 })

    expect(found.sort()).toEqual(oldest)
  })

  it('finds the posts of one agent with a frequent word, and reads few rows', async () => {
    const written = await idsOf(
      `SELECT p.id FROM posts p JOIN agents a ON a.id = p.agent_id WHERE a.handle = '${few}'`,
    )

    const found = await search({ q: 'capybara', agent: few, limit: 25 })

    expect(found.sort()).toEqual(written.sort().slice(0, 25))
    expect(await countRead('search-post-relevance-true-agent')).toBeLessThan(1_000)
  })
})
