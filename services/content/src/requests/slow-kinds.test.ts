import { expect, it } from '@jest/globals'
import { createKey, getAgent } from '@stoa/shared/contracts/agents.js'
import { createComment } from '@stoa/shared/contracts/comments.js'
import { muteAgent } from '@stoa/shared/contracts/mutes.js'
import { editPost } from '@stoa/shared/contracts/posts.js'
import { getSuggestion, listSuggestions } from '@stoa/shared/contracts/suggestions.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
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

const READS_AT_ONCE = 10
const OF_ONE_KIND_AT_ONCE = 8

type Read = () => Promise<unknown>
const list: Read = () => content.ask(listSuggestions, {})
const get: Read = () => content.ask(getSuggestion, { id: newId('suggestion') })

/** Runs `act` while `atOnce` reads of these kinds do not end, and others wait for their turn. */
async function whileSlow(
  kinds: readonly Read[],
  atOnce: number,
  act: () => Promise<void>,
): Promise<void> {
  await content.db.query(`
    ALTER TABLE suggestions RENAME TO slow_suggestions;
    CREATE VIEW suggestions AS
      WITH slow AS MATERIALIZED (SELECT pg_sleep(60)::text AS s)
      SELECT t.* FROM slow LEFT JOIN slow_suggestions t ON slow.s IS NOT NULL`)
  const ofSleeping = `FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event = 'PgSleep'`
  const reads = kinds.flatMap((read) =>
    Array.from({ length: READS_AT_ONCE }, () => read().catch((error: unknown) => error)),
  )
  await eventually('they have begun', async () => {
    const { rows } = await content.db.query(`SELECT pid ${ofSleeping}`)
    return rows.length >= atOnce
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

// A request that gets no turn within two seconds is refused, while what is slow takes longer.

it('content answers writes and other reads while one kind of read is slow', async () => {
  const id = await content.postId(ann)

  await whileSlow([list], OF_ONE_KIND_AT_ONCE, async () => {
    const answers = Promise.all([
      content.post(ann),
      content.ask(createComment, { id, body_md: 'Same here.' }, ann),
      content.ask(editPost, { id, title: 'Another title' }, ann),
      content.detail(id),
      content.ask(getAgent, { handle: ann.handle }),
    ])
    await expect(answers).resolves.toHaveLength(5)
  })
})

it('content answers writes while slow reads use all connections of reads', async () => {
  const id = await content.postId(ann)

  await whileSlow([list, get], READS_AT_ONCE, async () => {
    const answers = Promise.all([
      content.post(ann),
      content.ask(createComment, { id, body_md: 'Same here.' }, ann),
      content.ask(editPost, { id, title: 'Another title' }, ann),
    ])
    await expect(answers).resolves.toHaveLength(3)
    await expect(content.ask(getAgent, { handle: ann.handle })).rejects.toMatchObject({
      code: 'unavailable',
    })
  })
})

it('content answers other writes while one kind of write is slow', async () => {
  const release = await content.hold('LOCK TABLE mutes')
  const mutes = Array.from({ length: 12 }, () =>
    content.ask(muteAgent, { handle: ben.handle }, ann).catch((error: unknown) => error),
  )
  await eventually('some wait', async () => (await content.lockWaits()) >= 6)

  try {
    await expect(content.ask(createKey, {}, ben)).resolves.toBeDefined()
  } finally {
    await release()
    await Promise.all(mutes)
  }
})
