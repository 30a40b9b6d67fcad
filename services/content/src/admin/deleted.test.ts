import { expect, it } from '@jest/globals'
import { deleteMe, editMe, listSubmissions } from '@stoa/shared/contracts/agents.js'
import { createComment, deleteComment, editComment } from '@stoa/shared/contracts/comments.js'
import { deletePost, editPost, reproducePost } from '@stoa/shared/contracts/posts.js'
import { deleteReproduction } from '@stoa/shared/contracts/reproductions.js'
import { createSuggestion } from '@stoa/shared/contracts/suggestions.js'
import { deleteVersion } from '@stoa/shared/contracts/versions.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import type { Database } from '../database.ts'
import type { ContentUnderTest, Someone } from '../testing/content-under-test.ts'
import { inModeratedForum } from '../testing/in-moderated-forum.ts'
import type { ModeratedForum } from '../testing/moderated-forum.ts'
import type { Command } from './command.ts'
import { deletedCommands } from './deleted.ts'

/** A word in every text that is deleted. */
const WORD = 'zebrawort'
const BODY = `The ${WORD} grows.`

let content: ContentUnderTest
let forum: ModeratedForum
let db: Database

inModeratedForum((started) => {
  forum = started
  ;({ content } = forum)
  db = content.openDatabase(2)
})

const run = (verb: string) => (deletedCommands[`deleted ${verb}`] as Command).run(db, [])

/**
 * The tables that hold the word anywhere, once the full-text index has followed the other tables.
 */
async function holding(word = WORD): Promise<string[]> {
  await eventually('the index has followed', async () => {
    const behind = 'SELECT 1 FROM search_progress s, publication p WHERE s.seq < p.seq'
    return (await content.db.query(behind)).rowCount === 0
  })
  const { rows } = await content.db.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY table_name`,
  )
  const found = await Promise.all(
    rows.map(async ({ name }) => {
      const held = `SELECT 1 FROM "${name}" t WHERE t::text ILIKE '%' || $1 || '%' LIMIT 1`
      return (await content.db.query(held, [word])).rowCount ? [name] : []
    }),
  )
  return found.flat()
}

/** A post in two versions that has the word in all that a post can have, except a tag. */
async function aWholePost(author: Someone, word = WORD): Promise<string> {
  const text = `The ${word} grows.`
  const { id } = (
    await content.post(author, {
      title: `A ${word}`,
      summary: text,
      body_md: `${text} FLAGME`,
      sources: [`https://example.org/${word}`],
      data: { said: text },
      link_url: `https://example.org/${word}`,
    })
  ).data.post
  const edit = { id, title: `The other ${word}`, edit_note: text }
  await content.ask(editPost, edit, author)
  return id
}

async function report(id: string, as: Someone): Promise<void> {
  await content.ask(reproducePost, { id, outcome: 'failed', notes: BODY }, as)
}

async function isPurged(): Promise<void> {
  await eventually('the account is empty', async () => {
    const { rows } = await content.db.query('SELECT 1 FROM agents WHERE purging')
    return rows.length === 0
  })
}

it('"deleted check" and "deleted erase" find nothing to do if nothing was deleted', async () => {
  await aWholePost(await content.register(), 'evergreen')
  const before = await holding('evergreen')

  expect(await run('check')).toEqual(['The database holds no deleted text.'])
  expect(await run('erase')).toEqual(['The database holds no deleted text.'])
  expect(await holding('evergreen')).toEqual(before)
})

it('"deleted erase" removes deleted texts from every table, and removes no public text', async () => {
  const [ann, ben] = [await content.register(), await content.register()]
  const other = await content.postId(ben, { body_md: 'It stays.' })
  const own = await aWholePost(ann)
  const { comment } = (await content.ask(createComment, { id: own, body_md: BODY }, ann)).data
  await content.ask(editComment, { id: comment.id, body_md: `${BODY} Twice.` }, ann)
  await content.ask(createComment, { id: own, body_md: 'A reply that stays.' }, ben)
  await report(other, ann)
  await content.ask(createSuggestion, { title: `More ${WORD}`, body_md: BODY }, ann)
  for (const body_md of [`${BODY} QUARANTINEME`, `${BODY} Another QUARANTINEME`]) {
    await content.ask(editPost, { id: own, body_md }, ann)
  }
  for (const { id } of await forum.alertsOn(own)) await forum.resolve(id, 'dismiss')
  await content.ask(deleteComment, { id: comment.id }, ann)
  await content.ask(deletePost, { id: own }, ann)
  await content.ask(deleteMe, { confirm_handle: ann.handle }, ann)
  await isPurged()

  const counted = await run('check')
  expect(counted.at(-1)).toBe('To erase these texts: npm run admin -- deleted erase')
  expect(await holding()).not.toEqual([])
  expect(await run('erase')).toEqual([...counted.slice(0, -1), 'These texts were erased.'])

  expect(await holding()).toEqual([])
  expect(await run('check')).toEqual(['The database holds no deleted text.'])
  expect((await content.detail(other)).post.body_md).toBe('It stays.')
  expect(await holding('A reply that stays')).toEqual(['comments'])
})

it('"deleted erase" removes every profile text of a deleted agent', async () => {
  const said = 'Quaggalab'
  const ann = await content.register({
    agent_name: said,
    model: said,
    harness: said,
    operator: said,
    operator_url: `https://${said.toLowerCase()}.example/`,
    home_url: `https://${said.toLowerCase()}.example/ann`,
    bio: `Of ${said}.`,
  })
  const other = await content.postId(await content.register())
  await content.postId(ann)
  await content.ask(createComment, { id: other, body_md: 'It works.' }, ann)
  await report(other, ann)
  await content.ask(editMe, { bio: `Still of ${said}.` }, ann)
  expect(await holding(said)).toContain('agents')

  await content.ask(deleteMe, { confirm_handle: ann.handle }, ann)
  await isPurged()
  await run('erase')

  expect(await holding(said)).toEqual([])
  const { rows } = await content.db.query('SELECT 1 FROM inbox WHERE agent_id = $1', [ann.agent_id])
  expect(rows).toEqual([])
})

it('"deleted erase" empties a deleted version of a post, and no other version', async () => {
  const ann = await content.register()
  const id = await content.postId(ann, { title: 'The first of three', body_md: BODY })
  await content.ask(editPost, { id, title: 'The second of three', body_md: 'Nothing of it.' }, ann)
  await content.ask(editPost, { id, title: 'The third of three' }, ann)
  await content.ask(deleteVersion, { id, version: 1 }, ann)

  expect(await run('erase')).toEqual(['versions: 1', 'These texts were erased.'])

  expect(await holding('first of three')).toEqual([])
  expect(await holding('second of three')).toEqual(['post_versions'])
})

it('"deleted erase" keeps the deleted text of an alert until the alert is decided', async () => {
  const ann = await content.register()
  const id = await content.postId(ann, { body_md: `${BODY} FLAGME` })
  const { id: alert } = await forum.onlyAlert(id)
  await content.ask(deletePost, { id }, ann)

  const waits = 'Waiting alerts that keep the deleted text they are about: 1'
  expect(await run('erase')).toEqual([waits])
  expect(await holding()).toContain('posts')
  await forum.resolve(alert, 'dismiss')

  const lines = await run('erase')
  expect(lines).toContain('posts: 1')
  expect(lines).not.toContain(waits)
  expect(await holding()).toEqual([])
})

it('"deleted erase" keeps what was found in a report that was made anew after its deletion', async () => {
  const [ann, id] = [await content.register(), await forum.publicPost()]
  await report(id, ann)
  const { reproduction } = (await content.ask(deleteReproduction, { id }, ann)).data
  const anew = { id, outcome: 'failed', notes: 'It says BLOCKME.' } as const
  const refusal = { code: 'content_rejected' }
  await expect(content.ask(reproducePost, anew, ann)).rejects.toMatchObject(refusal)
  const { id: alert } = await forum.onlyAlert(reproduction.id)
  await forum.resolve(alert, 'dismiss')

  expect(await run('erase')).toEqual(['reproductions: 1', 'These texts were erased.'])

  const [newest] = (await content.ask(listSubmissions, {}, ann)).data.items
  expect(newest).toMatchObject({ visibility: 'rejected', reasons: [{ category: 'test' }] })
  const [kept] = await forum.alertsOn(reproduction.id)
  expect(kept?.excerpt).toContain('BLOCKME')
})

it('"deleted check" and "deleted erase" go through more rows than one page has', async () => {
  const { agent_id } = await content.register()
  await content.db.query(
    `INSERT INTO suggestions (id, agent_id, title, body_md, visibility, case_id, created_at)
     SELECT 'sug_' || md5(n::text), $1, 'Old', 'Old.', 'deleted', 'cas_' || n, now()
     FROM generate_series(1, 2500) AS n`,
    [agent_id],
  )

  expect(await run('check')).toContain('suggestions: 2500')
  expect(await run('erase')).toContain('suggestions: 2500')
  expect(await run('check')).toEqual(['The database holds no deleted text.'])
})
