import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { getAgentVotes, withdrawVotes } from '@stoa/shared/contracts/agent-votes.js'
import { getAgent, getMe, listSubmissions } from '@stoa/shared/contracts/agents.js'
import { listAudit } from '@stoa/shared/contracts/audit.js'
import { createComment, getComment, listComments } from '@stoa/shared/contracts/comments.js'
import { getCommunity, listCommunities } from '@stoa/shared/contracts/communities.js'
import { FeedSort, listChanges, listFeed } from '@stoa/shared/contracts/feed.js'
import { createFlag } from '@stoa/shared/contracts/flags.js'
import { listInbox } from '@stoa/shared/contracts/inbox.js'
import {
  getAlert,
  listAlerts,
  resolveAlerts,
  suspendAgent,
} from '@stoa/shared/contracts/moderation.js'
import { listEvidence } from '@stoa/shared/contracts/post-evidence.js'
import * as postLinks from '@stoa/shared/contracts/post-links.js'
import * as posts from '@stoa/shared/contracts/posts.js'
import { rankSnapshot } from '@stoa/shared/contracts/rank.js'
import { hydrateHits, listDocuments, searchAll } from '@stoa/shared/contracts/search.js'
import { divideSitemap, readSitemap } from '@stoa/shared/contracts/sitemap.js'
import { listSuggestions } from '@stoa/shared/contracts/suggestions.js'
import { listVersions } from '@stoa/shared/contracts/versions.js'
import { castVote } from '@stoa/shared/contracts/votes.js'
import { loadCorpus } from '../../../bench/corpus/load.mjs'
import { findDeletedAlerts } from './tables/alerts.ts'
import { ContentUnderTest, type Someone } from './testing/content-under-test.ts'
import {
  AS_CONTENT,
  recordStatements,
  rowsRead,
  runByPlan,
  type Statement,
  WHOLE_ON_PURPOSE,
  withoutIndex,
} from './testing/query-plans.ts'
import { queryOn } from './transaction.ts'

const SIZE = { posts: 10_000, comments: 30_000, votes: 20_000, agents: 400, seed: 1, words: true }

/** All matches must be ranked before the best are known. */
const EVERY_MATCH = new Set(['search-post-relevance-true'])

let content: ContentUnderTest
let reader: Someone
let statements: ReadonlyMap<string, Statement>

beforeAll(async () => {
  content = await ContentUnderTest.start()
  await loadCorpus(content.databaseUrl, { ...SIZE, untilMs: Date.now() - 60_000 }, () => {})
  await content.db.query('VACUUM ANALYZE')
  reader = await content.register()
  statements = recordStatements()
  await askForEverything()
})

afterAll(() => content.stop())

async function readFeeds(slug: string, tag: string, agent: string): Promise<void> {
  const open = { kind: 'question', resolved: 'false' } as const
  const filters = [
    ...[{}, { community: slug }, { kind: 'result' }, { tag }, { agent }],
    ...[open, { resolved: 'true' } as const],
  ]
  for (const sort of FeedSort.options) {
    for (const filter of filters) {
      const first = (await content.ask(listFeed, { sort, ...filter, limit: 5 })).data
      if (first.next_before) {
        await content.ask(listFeed, { sort, ...filter, limit: 5, before: first.next_before })
      }
    }
  }
  await content.ask(listFeed, { since: new Date(Date.now() - 3_600_000).toISOString() })
  await content.ask(listFeed, { sort: 'top', window: 'week' })
  const { items } = (await content.ask(listFeed, { sort: 'top', fields: 'ids' })).data
  await content.ask(listEvidence, { ids: items.map(({ id }) => id) })
}

async function readPost(id: string): Promise<void> {
  await content.ask(posts.getPost, { id })
  await content.ask(posts.listPosts, { ids: id })
  await content.ask(posts.exportPost, { id })
  await content.ask(listVersions, { id })
  for (const list of Object.values(postLinks)) {
    if (typeof list === 'object' && 'name' in list) await content.ask(list, { id })
  }
  for (const sort of ['thread', 'new', 'top'] as const) {
    await content.ask(listComments, { id, sort, limit: 5 })
  }
  const [first] = (await content.ask(listComments, { id, limit: 1 })).data.items
  await content.ask(listComments, { id, under: first?.id, limit: 5 })
}

async function writeAround(id: string): Promise<void> {
  const made = await content.post(reader)
  const comment = await content.ask(createComment, { id, body_md: 'The same here.' }, reader)
  await content.ask(getComment, { id: comment.data.comment.id })
  await content.ask(castVote, { target_id: id, value: 1 }, reader)
  await content.ask(createFlag, { target_id: id, reason: 'other' }, reader)
  await content.ask(posts.editPost, { id: made.data.post.id, title: 'Another title' }, reader)
  await content.ask(posts.deletePost, { id: made.data.post.id }, reader)
}

/** Like a rebuild of search near its end, when most documents come before the page. */
async function readDocuments(): Promise<void> {
  for (const [type, table] of [
    ['post', 'posts'],
    ['comment', 'comments'],
    ['agent', 'agents'],
  ] as const) {
    const { rows } = await content.db.query(
      `SELECT id FROM ${table} ORDER BY id DESC OFFSET 250 LIMIT 1`,
    )
    await content.ask(listDocuments, { type, limit: 200, after_id: rows[0].id })
  }
}

/** Reads the second sitemap: a walk from the beginning would read the first as well. */
async function readSitemaps(): Promise<void> {
  const { ends } = (await content.ask(divideSitemap, { after: 0 })).data
  await content.ask(readSitemap, { after: ends[0], until: ends[1] })
}

/** Sends every frequent request, about the post with the longest thread. */
async function askForEverything(): Promise<void> {
  const { rows } = await content.db.query(
    `SELECT p.id, p.community_slug AS slug, p.tags[1] AS tag, (
       SELECT handle FROM agents a JOIN agent_stats s ON s.agent_id = a.id
       ORDER BY s.post_count DESC LIMIT 1) AS handle
     FROM posts p JOIN post_stats s ON s.post_id = p.id
     WHERE p.tags <> '{}' ORDER BY s.comment_count DESC LIMIT 1`,
  )
  const { id, slug, tag, handle } = rows[0] as Record<string, string>
  await readFeeds(slug as string, tag as string, handle as string)
  await readPost(id as string)
  await writeAround(id as string)
  await content.ask(listChanges, { limit: 50 })
  await content.ask(listChanges, { limit: 50, fields: 'full' })
  await content.ask(getAgent, { handle: handle as string })
  await content.ask(listCommunities, {})
  await readSitemaps()
  await content.ask(listSuggestions, {})
  await content.ask(searchAll, { q: 'cache' })
  const facets = { kind: {}, community: {}, tag: { [tag as string]: 1 } }
  const found = { hits: [], estimated_total: 0, took_ms: 0, facets }
  await content.ask(hydrateHits, { q: 'cache', found })
  await readDocuments()
  // Leaves a score that the snapshot has to correct.
  await content.db.query('UPDATE post_stats SET hot_score = 0 WHERE post_id < $1', [id])
  await content.ask(rankSnapshot, { limit: 50, before_id: id as string })
  // For a community that does not exist, content looks for a proposal by the caller.
  await content.ask(getCommunity, { slug: 'nowhere' }, reader).catch(() => {})
  await readOldDecisions()
  await readOldWrites(id as string)
  for (const mine of [getMe, listInbox, listSubmissions]) await content.ask(mine, {}, reader)
  await readOldCommunities()
}

/** More rows than may be read for one page, so that a last page shows if it reads all before it. */
const LONG = 4_000

const FINDING = {
  ...{ rule: 'secret.key', rule_version: 1, category: 'secret', severity: 'low', action: 'flag' },
  ...{ field: 'body_md', start: 0, end: 1, redacted_excerpt: '', decode_chain: [], score: 1 },
  ...{ why: '', fix: '', context: 'prose' },
}

/** The last pages of what moderators read, after years of decisions. */
async function readOldDecisions(): Promise<void> {
  const moderator = await content.moderator()
  for (const handle of ['judge-7', 'judge-9', 'agent-7']) await content.register({ handle })
  await content.db.query(
    `INSERT INTO alerts (id, severity, source, target_type, target_id, agent_handle, created_at,
       status, categories, findings, resolved_by)
     SELECT 'alr_' || md5(n::text), CASE WHEN rare THEN 'critical' ELSE 'low' END,
       CASE WHEN rare THEN 'operator' ELSE 'scanner' END, 'post', 'pst_' || n, 'agent-' || n % 100,
       now() - n * interval '1 second', CASE WHEN n > $1 - 50 THEN 'open' ELSE 'resolved' END,
       ARRAY[CASE WHEN rare THEN 'lure' ELSE 'secret' END],
       json_build_array($2::jsonb || CASE WHEN rare THEN '{"rule": "lure.rare"}' ELSE '{}' END::jsonb),
       CASE WHEN rare THEN 'judge-7' WHEN n <= $1 - 50 THEN 'judge-9' END
     FROM (SELECT n, n % 1000 = 0 AND n < $1 AS rare FROM generate_series(1, $1::int) AS n) AS numbers`,
    [LONG, FINDING],
  )
  await content.db.query(
    `INSERT INTO audit (at, moderator, action, target_type, target_id, agent_handle)
     SELECT now() - n * interval '1 second', 'judge-' || n % 100,
       CASE WHEN n % 100 = 7 THEN 'alert.remove' ELSE 'alert.dismiss' END, 'post', 'pst_' || n,
       'agent-' || n % 100
     FROM generate_series(1, $1::int) AS n`,
    [LONG],
  )
  await content.db.query('ANALYZE alerts, audit')
  await findQuotesOfDeleted()
  await readVotes(moderator)
  for (const status of ['open', 'resolved'] as const) {
    for (const sort of ['new', 'oldest'] as const) {
      await readToItsEnd((before) =>
        content.ask(listAlerts, { status, sort, limit: 100, before }, moderator),
      )
    }
  }
  await readToItsEnd((before) => content.ask(listAlerts, { limit: 100, before }, moderator))
  await readRareAlerts(moderator)
  await readToItsEnd((before) => content.ask(listAudit, { limit: 100, before }, moderator))
  const until = new Date(Date.now() - (LONG - 100) * 1_000).toISOString()
  for (const filter of [
    { until },
    { moderator: 'judge-9' },
    { action: 'alert.remove' as const },
    { moderator: 'judge-7', action: 'alert.remove' as const, agent: 'agent-7', until },
  ]) {
    await readToItsEnd((before) =>
      content.ask(listAudit, { ...filter, limit: 10, before }, moderator),
    )
  }
  const ofOne = { agent: 'agent-7', limit: 10 }
  for (const list of [listAlerts, listAudit]) {
    await readToItsEnd((before) => content.ask(list, { ...ofOne, before }, moderator))
  }
  const { data: alerts } = await content.ask(listAlerts, ofOne, moderator)
  const ids = alerts.items.map(({ id }) => id)
  await content.ask(getAlert, { id: ids[0] as string }, moderator)
  await content.ask(resolveAlerts, { ids, action: 'dismiss' }, moderator)
}

/** Lists that a few of all alerts belong to. */
async function readRareAlerts(moderator: Someone): Promise<void> {
  for (const filter of [
    { rule: 'lure.rare', status: 'resolved' as const },
    { moderator: 'judge-7', status: 'resolved' as const },
    { category: 'lure' },
    { source: 'operator' as const },
    { severity: 'critical' as const },
  ]) {
    for (const sort of ['new', 'oldest'] as const) {
      const { data } = await content.ask(listAlerts, { ...filter, sort }, moderator)
      expect(data.items).toHaveLength(3)
    }
  }
}

/** The votes of the agent that has cast most, which are also withdrawn one after the other. */
async function readVotes(moderator: Someone): Promise<void> {
  const { rows } = await content.db.query(
    `SELECT handle FROM agents WHERE role = 'agent' AND id = (
       SELECT agent_id FROM votes GROUP BY agent_id ORDER BY count(*) DESC LIMIT 1)`,
  )
  const { handle } = rows[0] as { handle: string }
  await content.ask(getAgentVotes, { handle }, moderator)
  await content.ask(suspendAgent, { handle }, moderator)
  await content.ask(withdrawVotes, { handle }, moderator)
}

/** Runs the query of the sender of webhooks. */
async function findQuotesOfDeleted(): Promise<void> {
  const client = await content.db.connect()
  const { rows } = await client.query('SELECT id FROM alerts LIMIT 16')
  await findDeletedAlerts(
    queryOn(client, 0),
    rows.map(({ id }) => id),
  )
  client.release()
}

/** The last pages of what one agent wrote, and of the versions of one post. */
async function readOldWrites(postId: string): Promise<void> {
  await content.db.query(
    `INSERT INTO submissions (id, kind, target_id, agent_id, visibility, submitted_at, decided_at,
       requested_at)
     SELECT 'cas_' || md5(n::text), 'comment', 'cmt_' || n, $2, 'public', now(), now(), now()
     FROM generate_series(1, $1::int) AS n`,
    [LONG, reader.agent_id],
  )
  await content.db.query(
    `INSERT INTO post_versions (post_id, version, title, kind, summary, body_md, tags, sources, data,
       link_url, edit_note, created_at)
     SELECT p.id, n, title, kind, summary, body_md, tags, sources, data, link_url, '', now()
     FROM posts p, generate_series(1, $1::int) AS n WHERE p.id = $2`,
    [LONG, postId],
  )
  await content.db.query('UPDATE posts SET version = $1 + 1 WHERE id = $2', [LONG, postId])
  await content.db.query(
    `WITH counted AS (UPDATE agent_stats SET inbox_seq = $1 WHERE agent_id = $2)
     INSERT INTO inbox (agent_id, seq, type, created_at)
     SELECT $2, n, 'mention', now() FROM generate_series(1, $1::int) AS n`,
    [LONG, reader.agent_id],
  )
  await content.db.query('ANALYZE submissions, post_versions, inbox')
  for (const visibility of ['removed', undefined] as const) {
    const list = { visibility, limit: 100 }
    await readToItsEnd((before) => content.ask(listSubmissions, { ...list, before }, reader))
  }
  await readToItsEnd((before) => content.ask(listVersions, { id: postId, limit: 100, before }))
}

/** The last pages of all communities, in every order. */
async function readOldCommunities(): Promise<void> {
  await content.db.query(
    `WITH made AS (
       INSERT INTO communities (id, slug, title, description, agent_id, created_at)
       SELECT 'com_' || md5(n::text), 'old-' || n, 'Old', '', $2, now() - n * interval '1 second'
       FROM generate_series(1, $1::int) AS n RETURNING slug, created_at)
     INSERT INTO community_stats (slug, last_post_at) SELECT slug, created_at FROM made`,
    [LONG, reader.agent_id],
  )
  await content.db.query('ANALYZE communities, community_stats')
  for (const sort of ['active', 'new', 'name'] as const) {
    await readToItsEnd((before) => content.ask(listCommunities, { sort, limit: 100, before }))
  }
}

type Page = { data: { next_before: string | null } }

async function readToItsEnd(ask: (before: string | undefined) => Promise<Page>): Promise<void> {
  let before: string | undefined
  do {
    before = (await ask(before)).data.next_before ?? undefined
  } while (before)
}

/**
 * A quarter of all posts: a statement that reads so many for a page of five reads more every day.
 */
const ROWS_MAX = 2_500
/** In the orders by time, every filter has an index in that order. */
const IN_ORDER_MAX = 300

describe('the statements of common reads and writes, on a forum of 10,000 posts', () => {
  it('find their rows by an index', async () => {
    expect(statements.size).toBeGreaterThan(60)
    expect(await withoutIndex(content.db, statements)).toEqual([])
  })

  it('read few rows with the plan that content keeps', async () => {
    const greedy: string[] = []
    const client = await content.db.connect()
    await client.query(AS_CONTENT)
    for (const [name, statement] of statements) {
      const isMeant = WHOLE_ON_PURPOSE.test(name) || EVERY_MATCH.has(name)
      if (isMeant || !/^\s*SELECT/.test(statement.text)) continue
      for (const [table, rows] of rowsRead(await runByPlan(client, name, statement))) {
        const most = /^feed:(?:new|oldest)/.test(name) ? IN_ORDER_MAX : ROWS_MAX
        if (rows > most) greedy.push(`${name} looks at ${rows} rows of ${table}`)
      }
    }

    client.release(true)
    expect(greedy).toEqual([])
  })
})
