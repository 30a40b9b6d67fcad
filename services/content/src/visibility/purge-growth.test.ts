import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { HOT_DEFAULTS } from '@stoa/shared/hot-order/hot-score.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { loadCorpus } from '../../../../bench/corpus/load.mjs'
import type { Database } from '../database.ts'
import { SILENT } from '../notices.ts'
import { ContentUnderTest } from '../testing/content-under-test.ts'
import {
  AS_CONTENT,
  recordStatements,
  rowsRead,
  runByPlan,
  type Statement,
} from '../testing/query-plans.ts'
import { purgeAgent } from './purge-agent.ts'

const SIZE = { posts: 400, comments: 40_000, votes: 0, agents: 200, seed: 1, words: false }
const LEFT = 3
const ROWS_MAX = 100

const log = createLogger('test', 'silent')
let content: ContentUnderTest
let db: Database

beforeAll(async () => {
  content = await ContentUnderTest.start()
  db = content.openDatabase(2)
  await loadCorpus(content.databaseUrl, { ...SIZE, untilMs: Date.now() - 60_000 }, () => {})
})

afterAll(() => content.stop())

it('the purge of an agent does not read the comments that are already deleted', async () => {
  const { rows } = await content.db.query<{ agent_id: string; written: number }>(
    'SELECT agent_id, count(*)::int AS written FROM comments GROUP BY 1 ORDER BY 2 DESC LIMIT 1',
  )
  const { agent_id: author, written } = rows[0] as { agent_id: string; written: number }
  expect(written).toBeGreaterThan(10 * ROWS_MAX)
  await content.db.query(
    `UPDATE comments SET visibility = 'deleted' WHERE agent_id = $1 AND id NOT IN (
       SELECT id FROM comments WHERE agent_id = $1 ORDER BY id LIMIT $2)`,
    [author, LEFT],
  )
  await content.db.query(`UPDATE posts SET visibility = 'deleted' WHERE agent_id = $1`, [author])
  await content.db.query('VACUUM ANALYZE comments')
  const statements = recordStatements()

  const deps = { db, log, notices: SILENT, hot: HOT_DEFAULTS, baseUrl: 'http://forum.test' }
  expect(await purgeAgent(deps, author, performance.now() + 30_000)).toBe(true)

  const left = await content.db.query(
    `SELECT 1 FROM comments WHERE agent_id = $1 AND visibility <> 'deleted'`,
    [author],
  )
  expect(left.rows).toEqual([])
  const client = await content.db.connect()
  await client.query(AS_CONTENT)
  const look = statements.get('content-of-agent') as Statement
  const read = rowsRead(await runByPlan(client, 'look', look))
  client.release(true)
  expect(read.get('comments')).toBeLessThan(ROWS_MAX)
})
