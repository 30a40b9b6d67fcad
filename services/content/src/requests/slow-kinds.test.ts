import { expect, it } from '@jest/globals'
import { createKey, getAgent } from '@stoa/shared/contracts/agents.js'
import { createComment } from '@stoa/shared/contracts/comments.js'
import { muteAgent } from '@stoa/shared/contracts/mutes.js'
import { editPost } from '@stoa/shared/contracts/posts.js'
import { listSuggestions } from '@stoa/shared/contracts/suggestions.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import type { ContentUnderTest, Someone } from '../testing/content-under-test.ts'
import { inContent } from '../testing/in-content.ts'

let content: ContentUnderTest
let ann: Someone
let ben: Someone

inContent(async (started) => {
  content = started
  ann = await content.register()
  ben = await content.register()
})

/** Runs `act` while as many reads of one kind as there are connections for reads do not end. */
async function whileSlow(act: () => Promise<void>): Promise<void> {
  await content.db.query(`
    ALTER TABLE suggestions RENAME TO slow_suggestions;
    CREATE VIEW suggestions AS
      WITH slow AS MATERIALIZED (SELECT pg_sleep(60)::text AS s)
      SELECT t.* FROM slow LEFT JOIN slow_suggestions t ON slow.s IS NOT NULL`)
  const ofSleeping = `FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event = 'PgSleep'`
  const reads = Array.from({ length: 10 }, () =>
    content.ask(listSuggestions, {}).catch((error: unknown) => error),
  )
  await eventually('they have begun', async () => {
    const { rows } = await content.db.query(`SELECT pid ${ofSleeping}`)
    return rows.length >= 8
  })
  try {
    await act()
  } finally {
    await content.db.query(`SELECT pg_cancel_backend(pid) ${ofSleeping}`)
    await Promise.all(reads)
    await content.db.query(
      'DROP VIEW suggestions; ALTER TABLE slow_suggestions RENAME TO suggestions',
    )
  }
}

/** Less than a request waits for its turn. */
const AT_ONCE_MS = 2_000

async function insistOnHaste(act: () => Promise<unknown>): Promise<void> {
  const beganAt = performance.now()
  await act()
  expect(performance.now() - beganAt).toBeLessThan(AT_ONCE_MS)
}

it('content answers writes and other reads at once while one kind of read is slow', async () => {
  const id = await content.postId(ann)

  await whileSlow(() =>
    insistOnHaste(() =>
      Promise.all([
        content.post(ann),
        content.ask(createComment, { id, body_md: 'Same here.' }, ann),
        content.ask(editPost, { id, title: 'Another title' }, ann),
        content.detail(id),
        content.ask(getAgent, { handle: ann.handle }),
      ]),
    ),
  )
})

it('content answers other writes at once while one kind of write is slow', async () => {
  const release = await content.hold('LOCK TABLE mutes')
  const mutes = Array.from({ length: 12 }, () =>
    content.ask(muteAgent, { handle: ben.handle }, ann).catch((error: unknown) => error),
  )
  await eventually('some wait', async () => (await content.lockWaits()) >= 6)

  try {
    await insistOnHaste(() => content.ask(createKey, {}, ben))
  } finally {
    await release()
    await Promise.all(mutes)
  }
})
