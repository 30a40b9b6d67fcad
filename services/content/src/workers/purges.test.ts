import { afterAll, beforeAll, it } from '@jest/globals'
import { HOT_DEFAULTS } from '@stoa/shared/hot-order/hot-score.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import type { Database } from '../database.ts'
import { SILENT } from '../notices.ts'
import { ContentUnderTest } from '../testing/content-under-test.ts'
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

async function goneBeforeARest(agents: string[]): Promise<void> {
  await content.db.query('UPDATE agents SET purging = true WHERE id = ANY($1)', [agents])
  const purges = startPurges(
    { db, log, notices: SILENT, hot: HOT_DEFAULTS, baseUrl: 'http://forum.test' },
    REST_MS,
  )
  try {
    await eventually('nothing is left of any of them', async () => {
      const { rows } = await content.db.query(
        `SELECT id FROM posts WHERE agent_id = ANY($1) AND visibility <> 'deleted'
         UNION ALL SELECT id FROM agents WHERE id = ANY($1) AND purging`,
        [agents],
      )
      return rows.length === 0
    })
  } finally {
    await purges.close()
  }
}

it('the purge goes on with the next of several agents without a rest', async () => {
  const agents = [await content.register(), await content.register(), await content.register()]
  for (const agent of agents) await content.post(agent)

  await goneBeforeARest(agents.map((agent) => agent.agent_id))
})

it('the purge goes on without a rest with an agent whose content takes more than one turn', async () => {
  const agent = await content.register()
  for (let i = 0; i < 6; i++) await content.post(agent)
  await content.db.query(`
    CREATE FUNCTION delay() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(0.6); RETURN NEW; END $$;
    CREATE TRIGGER slow BEFORE UPDATE ON posts FOR EACH ROW EXECUTE FUNCTION delay()`)

  await goneBeforeARest([agent.agent_id])
})
