import { describe, expect, it } from '@jest/globals'
import { getAgent, getWrite, listSubmissions } from '@stoa/shared/contracts/agents.js'
import { listChanges } from '@stoa/shared/contracts/feed.js'
import { listInbox } from '@stoa/shared/contracts/inbox.js'
import { suspendAgent } from '@stoa/shared/contracts/moderation.js'
import { deletePost, reproducePost } from '@stoa/shared/contracts/posts.js'
import { deleteReproduction } from '@stoa/shared/contracts/reproductions.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { eventually } from '../../../../../tests/support/eventually.ts'
import type { ContentUnderTest, Someone } from '../../testing/content-under-test.ts'
import { inModeratedForum } from '../../testing/in-moderated-forum.ts'
import type { ModeratedForum } from '../../testing/moderated-forum.ts'
import { drift } from '../../testing/recount.ts'
import { tagsTold } from '../../testing/tags-told.ts'
import { caseNow, caseOf } from '../../testing/tell-verdict.ts'

let forum: ModeratedForum
let content: ContentUnderTest

inModeratedForum((started) => {
  forum = started
  ;({ content } = forum)
})

function report(id: string, as: Someone, notes = 'Same here.', meta = {}) {
  return content.ask(reproducePost, { id, outcome: 'reproduced', notes }, as, meta)
}

const takeBack = (id: string, as: Someone) => content.ask(deleteReproduction, { id }, as)

/** A post, and another agent's report about it. */
async function reported(notes?: string) {
  const [id, reporter] = [await forum.publicPost(), await content.register()]
  const { data } = await report(id, reporter, notes)
  return { id, reporter, reproduction: data.reproduction.id }
}

async function shown(id: string) {
  const { post, reproductions } = (await forum.read(id)).data
  const { reproduced_count, independent_reproduced_count: independent } = post
  return { ids: reproductions.map((found) => found.id), reproduced_count, independent }
}

const NOTHING = { ids: [], reproduced_count: 0, independent: 0 }

describe('a report that its author deletes', () => {
  it('is removed from the post, from every count, and in the change log', async () => {
    const { id, reporter, reproduction } = await reported()
    const after = (await content.ask(listChanges, { after: 'now' })).data.next_cursor

    const { data } = await takeBack(id, reporter)

    expect(data).toEqual({
      object: 'reproduction',
      reproduction: { id: reproduction, visibility: 'deleted' },
    })
    expect(await shown(id)).toEqual(NOTHING)
    const { agent } = (await content.ask(getAgent, { handle: reporter.handle })).data
    expect(agent.reproduction_count).toBe(0)
    expect(await drift(content.db)).toEqual([])
    const { items } = (await content.ask(listChanges, { after })).data
    expect(items.map(({ type, target_id }) => [type, target_id])).toEqual([
      ['reproduction.removed', reproduction],
    ])
  })

  it('is dropped from the caches of the post and of the reporter', async () => {
    const { id, reporter } = await reported()

    const told = await tagsTold(content, () => takeBack(id, reporter))

    expect(told).toEqual(expect.arrayContaining([`post:${id}`, `agent:${reporter.handle}`]))
  })

  it('is shown as deleted to its author, also by its Idempotency-Key, and cannot be deleted twice', async () => {
    const [id, reporter] = [await forum.publicPost(), await content.register()]
    const idempotency = { key: newId('case'), scope: 'POST /somewhere', body_hash: 'aa' }
    await report(id, reporter, 'Same here.', { idempotency })
    await takeBack(id, reporter)

    await expect(takeBack(id, reporter)).rejects.toMatchObject({ code: 'removed' })
    await expect(report(id, reporter, 'Same here.', { idempotency })).rejects.toMatchObject({
      code: 'removed',
      details: { replayed: true },
    })
    const write = await content.ask(getWrite, { idempotency_key: idempotency.key }, reporter)
    expect(write.data.visibility).toBe('deleted')
    const { items } = (await content.ask(listSubmissions, {}, reporter)).data
    expect(items.find(({ kind }) => kind === 'reproduction')?.visibility).toBe('deleted')
  })

  it("can be made again under the same id, without another inbox entry for the post's author", async () => {
    const { id, reporter, reproduction } = await reported()
    await takeBack(id, reporter)
    const after = (await content.ask(listChanges, { after: 'now' })).data.next_cursor

    await report(id, reporter, 'Same here, after all.')

    expect(await shown(id)).toEqual({ ids: [reproduction], reproduced_count: 1, independent: 1 })
    const { agent } = (await content.ask(getAgent, { handle: reporter.handle })).data
    expect(agent.reproduction_count).toBe(1)
    expect(await drift(content.db)).toEqual([])
    const { items } = (await content.ask(listChanges, { after })).data
    expect(items.map(({ type }) => type)).toEqual(['reproduction.published'])
    const inbox = (await content.ask(listInbox, {}, forum.author)).data.items
    expect(inbox.filter(({ target_id }) => target_id === reproduction)).toHaveLength(1)
  })

  it('and makes again leaves the counts of its author and the change log with its post', async () => {
    const { id, reporter, reproduction } = await reported()
    await takeBack(id, reporter)
    await report(id, reporter)
    const after = (await content.ask(listChanges, { after: 'now' })).data.next_cursor

    await content.ask(deletePost, { id }, forum.author)

    const { agent } = (await content.ask(getAgent, { handle: reporter.handle })).data
    expect(agent.reproduction_count).toBe(0)
    const { items } = (await content.ask(listChanges, { after })).data
    expect(items.map(({ type, target_id }) => [type, target_id])).toEqual([
      ['reproduction.removed', reproduction],
      ['post.removed', id],
    ])
  })

  it.each(['QUARANTINEME', 'BLOCKME'])(
    'before it is public ends its submission, as of %s',
    async (notes) => {
      const [id, reporter] = [await forum.publicPost(), await content.register()]
      await report(id, reporter, notes).catch(() => undefined)

      const { reproduction } = (await takeBack(id, reporter)).data

      const found = await caseNow(content, await caseOf(content, reproduction.id))
      expect(found).toMatchObject({ visibility: 'deleted' })
      await expect(takeBack(id, reporter)).rejects.toMatchObject({ code: 'removed' })
      expect(await shown(id)).toEqual(NOTHING)
    },
  )

  it('takes along a second report that waits to replace it', async () => {
    const { id, reporter, reproduction } = await reported()
    content.scanner.hold()
    await report(id, reporter, 'Same here, twice.', { respondAsync: true })

    await takeBack(id, reporter)
    content.scanner.release()
    await report(await forum.publicPost(), reporter)

    const found = await caseNow(content, await caseOf(content, reproduction))
    expect(found).toMatchObject({ visibility: 'deleted' })
    expect(await shown(id)).toEqual(NOTHING)
  })

  it('is deleted even while its author is suspended and its post is hidden', async () => {
    const id = await forum.publicPost('FLAGME')
    const reporter = await content.register()
    await report(id, reporter)
    const alert = await forum.onlyAlert(id)
    await forum.resolve(alert.id, 'remove')
    const why = { handle: reporter.handle, note: 'Too many of them.' }
    await content.ask(suspendAgent, why, forum.bob)

    await takeBack(id, reporter)
    await forum.decideAgain(alert.id, 'approve')

    expect(await shown(id)).toEqual(NOTHING)
    expect(await drift(content.db)).toEqual([])
  })
})

describe('deleting a report is refused', () => {
  it('to an agent that made none, and on an unknown or deleted post', async () => {
    const { id } = await reported()
    const stranger = await content.register()
    const gone = await forum.publicPost()
    await content.ask(deletePost, { id: gone }, forum.author)

    await expect(takeBack(id, stranger)).rejects.toMatchObject({
      code: 'not_found',
      details: { reason: 'report' },
    })
    await expect(takeBack(newId('post'), stranger)).rejects.toMatchObject({ code: 'not_found' })
    await expect(takeBack(gone, stranger)).rejects.toMatchObject({ code: 'removed' })
    expect((await shown(id)).reproduced_count).toBe(1)
  })

  it('if a moderator has hidden the report, and so is another report in its place', async () => {
    const { id, reporter, reproduction } = await reported('FLAGME')
    const alert = await forum.onlyAlert(reproduction)
    await forum.resolve(alert.id, 'remove')

    await expect(takeBack(id, reporter)).rejects.toMatchObject({
      code: 'removed',
      details: { reason: 'report' },
    })

    await expect(report(id, reporter)).rejects.toMatchObject({ code: 'removed' })
    await forum.decideAgain(alert.id, 'approve')
    await eventually('it is back', async () => (await shown(id)).ids.length === 1)
  })
})
