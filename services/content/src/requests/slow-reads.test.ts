import { expect, it } from '@jest/globals'
import { createComment } from '@stoa/shared/contracts/comments.js'
import { editPost } from '@stoa/shared/contracts/posts.js'
import { listSuggestions } from '@stoa/shared/contracts/suggestions.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import type { ContentUnderTest, Someone } from '../testing/content-under-test.ts'
import { inContent } from '../testing/in-content.ts'

let content: ContentUnderTest
let ann: Someone

inContent(async (started) => {
  content = started
  ann = await content.register()
})

/** Takes every connection that reads may use, with reads of one kind that do not end. */
async function fillReads(): Promise<Promise<unknown>[]> {
  await content.db.query(`
    ALTER TABLE suggestions RENAME TO slow_suggestions;
    CREATE VIEW suggestions AS
      WITH slow AS MATERIALIZED (SELECT pg_sleep(60)::text AS s)
      SELECT t.* FROM slow LEFT JOIN slow_suggestions t ON slow.s IS NOT NULL`)
  const reads = Array.from({ length: 10 }, () =>
    content.ask(listSuggestions, {}).catch((error: unknown) => error),
  )
  await eventually('no more begin', async () => {
    const { rows } = await content.db.query(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event = 'PgSleep'`,
    )
    return rows.length === 10
  })
  return reads
}

it('content answers writes at once while slow reads use all connections of reads', async () => {
  const id = await content.postId(ann)
  const reads = await fillReads()
  const beganAt = performance.now()

  const written = await Promise.allSettled([
    content.post(ann),
    content.ask(createComment, { id, body_md: 'Same here.' }, ann),
    content.ask(editPost, { id, title: 'Another title' }, ann),
  ])
  const tookMs = performance.now() - beganAt
  await content.db.query(`
    SELECT pg_cancel_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event = 'PgSleep'`)
  await Promise.all(reads)
  await content.db.query(
    'DROP VIEW suggestions; ALTER TABLE slow_suggestions RENAME TO suggestions',
  )

  expect(written.map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'))
  expect(tookMs).toBeLessThan(2_000)
})
