import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { migrate } from '../../services/content/dist/migrate.js'
import { createDatabase, dropDatabase } from '../../tests/support/databases.ts'
import { loadCorpus } from './load.mjs'
import { planCorpus } from './plan.mjs'
import { postTables } from './tables-posts.mjs'

const SIZE = {
  posts: 300,
  comments: 1_500,
  votes: 900,
  agents: 40,
  seed: 1,
  untilMs: Date.parse('2026-06-01T00:00:00Z'),
  threads: [40],
  words: true,
}

const SHAPE = `
  SELECT conrelid::regclass::text AS tbl, pg_get_constraintdef(oid) AS def FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT relname, reloptions::text FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1, 2`

/** Each query counts the rows that break a counter or a guarantee about order. */
const BROKEN = {
  'comments of a post': `SELECT count(*) AS n FROM post_stats s WHERE comment_count <>
    (SELECT count(*) FROM comments c WHERE c.post_id = s.post_id)`,
  'score of a post': `SELECT count(*) AS n FROM post_stats s WHERE score <>
    (SELECT coalesce(sum(value), 0) FROM votes v WHERE v.target_id = s.post_id)`,
  'filters of a post': `SELECT count(*) AS n FROM post_stats s JOIN posts p ON p.id = s.post_id
    WHERE (s.agent_id, s.kind, s.community_slug, s.tags) IS DISTINCT FROM
      (p.agent_id, p.kind, p.community_slug, p.tags)`,
  'score of a comment': `SELECT count(*) AS n FROM comments c WHERE score <>
    (SELECT coalesce(sum(value), 0) FROM votes v WHERE v.target_id = c.id)`,
  'reproductions of a post': `SELECT count(*) AS n FROM post_stats s
    WHERE reproduced_count + failed_count <>
      (SELECT count(*) FROM reproductions r WHERE r.post_id = s.post_id)`,
  'activity of a post': `SELECT count(*) AS n FROM post_stats s
    WHERE to_timestamp(active_at_ms / 1000.0) <> (SELECT max(created_at) FROM
      (SELECT created_at FROM comments c WHERE c.post_id = s.post_id
       UNION ALL SELECT created_at FROM posts p WHERE p.id = s.post_id) x)`,
  'posts of an agent': `SELECT count(*) AS n FROM agent_stats s WHERE post_count <>
    (SELECT count(*) FROM posts p WHERE p.agent_id = s.agent_id)`,
  'score of an agent': `SELECT count(*) AS n FROM agent_stats s WHERE score <>
    (SELECT coalesce(sum(value), 0) FROM votes v WHERE v.target_id IN
      (SELECT id FROM posts WHERE agent_id = s.agent_id
       UNION ALL SELECT id FROM comments WHERE agent_id = s.agent_id))`,
  'posts of a community': `SELECT count(*) AS n FROM community_stats s WHERE post_count <>
    (SELECT count(*) FROM posts p WHERE p.community_slug = s.slug)`,
  'votes on what is one’s own': `SELECT count(*) AS n FROM votes v JOIN
    (SELECT id, agent_id FROM posts UNION ALL SELECT id, agent_id FROM comments) x
    ON x.id = v.target_id AND x.agent_id = v.agent_id`,
  'replies outside the path of their parent': `SELECT count(*) AS n FROM comments c
    JOIN comments p ON p.id = c.parent_id
    WHERE p.post_id <> c.post_id OR c.depth <> p.depth + 1 OR left(c.path, length(p.path)) <> p.path
      OR p.created_at >= c.created_at`,
  'posts that share a tick': `SELECT count(*) - count(DISTINCT created_at) AS n FROM posts`,
  'posts after the publication tick': `SELECT count(*) AS n FROM posts, publication
    WHERE created_at > to_timestamp(tick / 1000.0)`,
  'cases without a thing': `SELECT count(*) AS n FROM posts p
    WHERE NOT EXISTS (SELECT 1 FROM submissions s WHERE s.id = p.case_id AND s.target_id = p.id)`,
  'public things without their words': `SELECT count(*) AS n FROM
    (SELECT id FROM posts UNION ALL SELECT id FROM comments) x
    WHERE NOT EXISTS (SELECT 1 FROM search_texts t WHERE t.id = x.id)`,
  'gaps in the change log': `SELECT max(seq) - min(seq) + 1 - count(*) AS n FROM changes`,
}

describe('a corpus', () => {
  let url: string
  let client: pg.Client
  let shapeBefore: unknown[]

  beforeAll(async () => {
    url = await createDatabase()
    await migrate(url)
    client = new pg.Client({ connectionString: url })
    await client.connect()
    shapeBefore = (await client.query(SHAPE)).rows
    await loadCorpus(url, SIZE, () => {})
  })

  afterAll(async () => {
    await client?.end()
    await dropDatabase(url)
  })

  it.each(Object.entries(BROKEN))('has no row that breaks: %s', async (_name, statement) => {
    const { rows } = await client.query(statement)

    expect(Number(rows[0].n)).toBe(0)
  })

  it('leaves every index and constraint as it was', async () => {
    expect((await client.query(SHAPE)).rows).toEqual(shapeBefore)
  })

  it('has the requested number of posts and the requested thread', async () => {
    const { rows } = await client.query(
      `SELECT count(*)::int AS posts, (SELECT max(comment_count) FROM post_stats
         WHERE post_id = (SELECT min(id) FROM posts)) AS first FROM posts`,
    )

    expect(rows[0]).toEqual({ posts: 300, first: 40 })
  })

  it('cannot be loaded a second time with the same seed', async () => {
    await expect(loadCorpus(url, SIZE, () => {})).rejects.toThrow('--seed')
  })
})

describe('planCorpus', () => {
  it('gives the same rows for the same seed, and other rows for another seed', async () => {
    const first = [...rowsOf(1)]

    expect([...rowsOf(1)]).toEqual(first)
    expect([...rowsOf(2)]).not.toEqual(first)
  })

  function rowsOf(seed: number) {
    const plan = planCorpus({ ...SIZE, posts: 5, seed })
    return postTables({ plan, counters: {} as never }).posts.rows()
  }
})
