import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { deleteMe } from '@stoa/shared/contracts/agents.js'
import { HOT_DEFAULTS } from '@stoa/shared/hot-order/hot-score.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import type { Database } from '../database.ts'
import { SILENT } from '../notices.ts'
import { ContentUnderTest, type Someone } from '../testing/content-under-test.ts'
import { startPurges } from './purges.ts'

/** Longer than any test waits. */
const REST_MS = 200_000

const log = createLogger('test', 'silent')
let content: ContentUnderTest
let db: Database

beforeAll(async () => {
  content = await ContentUnderTest.start({ RESCAN_AFTER_MS: '600000' })
  db = content.openDatabase(2)
})

afterAll(() => content.stop())

/** Deletes accounts by requests that have no time to take anything down. */
async function deleteInHaste(agents: Someone[]): Promise<void> {
  for (const agent of agents) {
    await content.ask(deleteMe, { confirm_handle: agent.handle }, agent, { remainingMs: 800 })
  }
}

async function postsLeft(agents: Someone[]): Promise<number> {
  const { rows } = await content.db.query(
    `SELECT id FROM posts WHERE agent_id = ANY($1) AND visibility <> 'deleted'`,
    [agents.map(({ agent_id }) => agent_id)],
  )
  return rows.length
}

async function goneBeforeARest(agents: Someone[]): Promise<void> {
  const purges = startPurges(
    { db, log, notices: SILENT, hot: HOT_DEFAULTS, baseUrl: 'http://forum.test' },
    REST_MS,
  )
  try {
    await eventually('nothing is left of any of them', async () => {
      const { rows } = await content.db.query('SELECT 1 FROM agents WHERE purging')
      return rows.length === 0 && (await postsLeft(agents)) === 0
    })
  } finally {
    await purges.close()
  }
}

it('the purge takes down what requests had no time for, one agent after the other without a rest', async () => {
  const agents = [await content.register(), await content.register(), await content.register()]
  for (const agent of agents) await content.post(agent)
  await deleteInHaste(agents)
  expect(await postsLeft(agents)).toBe(3)

  await goneBeforeARest(agents)
})

it('the purge goes on without a rest with an agent whose content takes more than one turn', async () => {
  const agent = await content.register()
  for (let i = 0; i < 6; i++) await content.post(agent)
  await content.db.query(`
    CREATE FUNCTION delay() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(0.6); RETURN NEW; END $$;
    CREATE TRIGGER slow BEFORE UPDATE ON posts FOR EACH ROW EXECUTE FUNCTION delay()`)
  await deleteInHaste([agent])

  await goneBeforeARest([agent])
})
