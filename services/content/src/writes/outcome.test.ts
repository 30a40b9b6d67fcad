import { afterEach, describe, expect, it } from '@jest/globals'
import { editMe, registerAgent } from '@stoa/shared/contracts/agents.js'
import { editComment } from '@stoa/shared/contracts/comments.js'
import { createFlag } from '@stoa/shared/contracts/flags.js'
import { listAlerts, resolveAlert } from '@stoa/shared/contracts/moderation.js'
import { editPost } from '@stoa/shared/contracts/posts.js'
import { createSuggestion } from '@stoa/shared/contracts/suggestions.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import type { ContentUnderTest } from '../testing/content-under-test.ts'
import { inContent } from '../testing/in-content.ts'

let content: ContentUnderTest

inContent((started) => {
  content = started
})

interface Way {
  /** The lock that the write waits for after it has touched `read`. */
  lock: string
  waits: string
  /** The table that holds what the write made. */
  read: string
}

/** Runs a write that loses the database between COMMIT and the read for its answer. */
async function cutOff(write: () => Promise<unknown>, { lock, waits, read }: Way): Promise<unknown> {
  const [holder, locker] = [await content.db.connect(), await content.db.connect()]
  await holder.query(`BEGIN; ${lock}`)
  const writing = write().catch((error: unknown) => error)
  // Other transactions that wait for the same lock have not touched this table.
  await eventually('the write waits', () => waiting(waits, '1', read))
  const locking = locker.query(`BEGIN; LOCK TABLE ${read}`)
  await eventually('a lock waits behind it', () => waiting(`LOCK TABLE ${read}`))
  await holder.query('COMMIT')
  await locking
  const answer = await eventually('what reads it back is cut off', async () => {
    await waiting(`SELECT%${read}`, 'pg_terminate_backend(pid)')
    return Promise.race([writing, false])
  })
  await locker.query('ROLLBACK')
  for (const client of [holder, locker]) client.release()
  return answer
}

/** Whether such a statement waits for a lock, in a transaction that has touched the table. */
async function waiting(statement: string, does = '1', touched = ''): Promise<boolean> {
  const { rowCount } = await content.db.query(
    `SELECT ${does} FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%' || $1 || '%'
       AND ($2 = '' OR pid IN (
         SELECT pid FROM pg_locks WHERE granted AND relation = to_regclass(nullif($2, ''))))`,
    [statement, touched],
  )
  return rowCount !== 0
}

/** The outcome of the write when repeated, as callers are told to do while the database is away. */
function repeated<Answer>(write: () => Promise<Answer>) {
  return eventually('the database is there again', async () => {
    const outcome = await write().catch((error: { code?: string }) => error)
    const isAway = (outcome as { code?: string }).code === 'unavailable'
    return isAway ? undefined : outcome
  })
}

const PUBLISHED = { lock: 'SELECT FROM publication FOR UPDATE', waits: 'UPDATE publication' }

describe('a write whose answer cannot be read', () => {
  it('ends with timeout although it stored a comment', async () => {
    const [author, other] = [await content.register(), await content.register()]
    const id = await content.postId(author)
    const comment = () => content.comment(id, other)

    const answer = await cutOff(comment, { ...PUBLISHED, read: 'posts' })

    expect(answer).toMatchObject({ code: 'timeout' })
    expect(await repeated(() => content.detail(id))).toMatchObject({ comments: [{}] })
  })

  it('ends with timeout although it registered an agent, and its repetition gets handle_taken', async () => {
    const profile = { agent_name: 'Ann', model: 'm', harness: 'h', operator: 'Op' }
    const register = () => content.ask(registerAgent, { handle: 'ann', ...profile })

    const answer = await cutOff(register, {
      lock: 'LOCK TABLE api_keys IN SHARE MODE',
      waits: 'INSERT INTO api_keys',
      read: 'agents',
    })

    expect(answer).toMatchObject({ code: 'timeout' })
    expect(await repeated(register)).toMatchObject({ code: 'handle_taken' })
  })

  it('ends with timeout although it stored a flag, and its repetition gets already_flagged', async () => {
    const [author, other] = [await content.register(), await content.register()]
    const about = { target_id: await content.postId(author), reason: 'spam' as const }
    const flag = () => content.ask(createFlag, about, other)

    const answer = await cutOff(flag, {
      lock: 'LOCK TABLE alerts',
      waits: 'FROM alerts',
      read: 'flags',
    })

    expect(answer).toMatchObject({ code: 'timeout' })
    expect(await repeated(flag)).toMatchObject({ code: 'already_flagged' })
  })

  it('ends with timeout although it edited a post, and its repetition gets version_conflict', async () => {
    const author = await content.register()
    const id = await content.postId(author)
    const input = { id, body_md: 'Clearer.', expected_version: 1 }
    const edit = () => content.ask(editPost, input, author)

    const answer = await cutOff(edit, { ...PUBLISHED, read: 'posts' })

    expect(answer).toMatchObject({ code: 'timeout' })
    expect(await repeated(edit)).toMatchObject({ code: 'version_conflict' })
  })

  it('ends with timeout although it edited a comment, and its repetition gets version_conflict', async () => {
    const author = await content.register()
    const { id } = await content.comment(await content.postId(author), author)
    const input = { id, body_md: 'Clearer.', expected_version: 1 }
    const edit = () => content.ask(editComment, input, author)

    const answer = await cutOff(edit, { ...PUBLISHED, read: 'comments' })

    expect(answer).toMatchObject({ code: 'timeout' })
    expect(await repeated(edit)).toMatchObject({ code: 'version_conflict' })
  })

  it('ends with timeout although it edited a profile, and its repetition succeeds', async () => {
    const agent = await content.register()
    const edit = () => content.ask(editMe, { bio: 'Clearer.' }, agent)

    const answer = await cutOff(edit, { ...PUBLISHED, read: 'agents' })

    expect(answer).toMatchObject({ code: 'timeout' })
    expect(await repeated(edit)).toMatchObject({ data: { agent: { bio: 'Clearer.' } } })
  })

  it('ends with timeout although it resolved an alert', async () => {
    const [author, mod] = [await content.register(), await content.moderator()]
    const about = { target_id: await content.postId(author), reason: 'spam' as const }
    await content.ask(createFlag, about, mod)
    const [alert] = (await content.ask(listAlerts, {}, mod)).data.items
    const decision = { id: alert?.id ?? '', action: 'dismiss' as const }

    const answer = await cutOff(() => content.ask(resolveAlert, decision, mod), {
      lock: 'LOCK TABLE audit IN SHARE MODE',
      waits: 'INSERT INTO audit',
      read: 'posts',
    })

    expect(answer).toMatchObject({ code: 'timeout' })
    const decided = () => content.ask(listAlerts, { status: 'resolved' }, mod)
    expect(await repeated(decided)).toMatchObject({ data: { items: [{ id: alert?.id }] } })
  })
})

describe('a write whose COMMIT is not answered', () => {
  afterEach(() => content.db.query('DROP FUNCTION end_session CASCADE'))

  it.each([
    ['by itself', 'flags'],
    ['with others', 'submissions'],
  ])('ends with timeout, as it may have landed: %s', async (_, table) => {
    const [author, other] = [await content.register(), await content.register()]
    const about = { target_id: await content.postId(author), reason: 'spam' as const }
    await content.db.query(`
      CREATE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER end_session AFTER INSERT ON ${table}
        INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION end_session()`)

    const writing =
      table === 'flags'
        ? content.ask(createFlag, about, other)
        : content.ask(createSuggestion, { title: 'An idea', body_md: 'Of a kind.' }, author)

    await expect(writing).rejects.toMatchObject({ code: 'timeout' })
  })
})
