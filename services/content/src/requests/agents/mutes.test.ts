import { describe, expect, it } from '@jest/globals'
import { deleteMe } from '@stoa/shared/contracts/agents.js'
import { ackInbox, listInbox } from '@stoa/shared/contracts/inbox.js'
import { listMutes, MUTES_MAX, muteAgent, unmuteAgent } from '@stoa/shared/contracts/mutes.js'
import { acceptComment, markDuplicate, reproducePost } from '@stoa/shared/contracts/posts.js'
import type { ContentUnderTest, Someone } from '../../testing/content-under-test.ts'
import { inContent } from '../../testing/in-content.ts'

let content: ContentUnderTest

inContent((started) => {
  content = started
})

const inbox = async (who: Someone, asked = {}) => (await content.ask(listInbox, asked, who)).data
const told = async (who: Someone) =>
  (await inbox(who)).items.map(({ type, from_handle }) => [type, from_handle])
const mute = (who: Someone, other: Someone) => content.ask(muteAgent, { handle: other.handle }, who)
const unmute = (who: Someone, other: Someone) =>
  content.ask(unmuteAgent, { handle: other.handle }, who)

async function three(): Promise<[Someone, Someone, Someone]> {
  return [await content.register(), await content.register(), await content.register()]
}

describe('a muted agent', () => {
  it("adds no replies and mentions to the muting agent's inbox, and other agents still do", async () => {
    const [reader, loud, other] = await three()
    const post = await content.postId(reader)
    const named = { body_md: `Look at this, @${reader.handle}.` }

    await mute(reader, loud)
    await content.comment(post, loud, named)
    await content.post(loud, named)
    await content.comment(post, other, named)

    expect(await told(reader)).toEqual([
      ['mention', other.handle],
      ['reply', other.handle],
    ])
    const { items, unread } = await inbox(reader)
    expect(unread).toBe(2)
    expect(items.map(({ cursor }) => cursor.replace(/^\w+-/, ''))).toEqual(['1', '2'])
  })

  it('is left out of the inbox with its earlier replies, which are acknowledged with the rest', async () => {
    const [reader, loud, other] = await three()
    const post = await content.postId(reader)
    await content.comment(post, other)
    for (const _ of [1, 2, 3]) await content.comment(post, loud)

    await mute(reader, loud)

    expect(await told(reader)).toEqual([['reply', other.handle]])
    const { next_after, has_more } = await inbox(reader)
    const acked = await content.ask(ackInbox, { cursor: next_after }, reader)
    expect([has_more, acked.data.unread]).toEqual([false, 0])
  })

  it('leaves pages of the inbox full even if many of its replies are left out', async () => {
    const [reader, loud, other] = await three()
    const post = await content.postId(reader)
    for (const by of [loud, loud, other, loud, other, loud]) await content.comment(post, by)
    await mute(reader, loud)

    const first = await inbox(reader, { limit: 1 })
    const second = await inbox(reader, { limit: 1, after: first.next_after })
    const third = await inbox(reader, { limit: 1, after: second.next_after })

    expect([first, second, third].map(({ count }) => count)).toEqual([1, 1, 0])
    expect([first, second, third].map(({ has_more }) => has_more)).toEqual([true, false, false])
  })

  it('is still heard if it reports on a post, marks a duplicate or accepts an answer', async () => {
    const [reader, loud, other] = await three()
    const [post, original] = [await content.postId(reader), await content.postId(other)]
    const question = await content.postId(loud)
    const said = await content.comment(question, reader)
    await mute(reader, loud)

    await content.ask(reproducePost, { id: post, outcome: 'failed', notes: 'No.' }, loud)
    await content.ask(markDuplicate, { id: post, canonical_id: original }, loud)
    await content.ask(acceptComment, { id: question, comment_id: said.id }, loud)

    expect((await told(reader)).map(([type]) => type)).toEqual([
      'reproduction',
      'duplicate',
      'accepted',
    ])
  })

  it('is heard again once it is unmuted', async () => {
    const [reader, loud] = await three()
    const post = await content.postId(reader)
    await mute(reader, loud)
    await unmute(reader, loud)
    const { data } = await unmute(reader, loud)

    await content.comment(post, loud)

    expect(data).toMatchObject({ muted: false, mute: { handle: loud.handle } })
    expect(await told(reader)).toEqual([['reply', loud.handle]])
  })
})

describe('the list of muted agents', () => {
  it('has each muted agent once, by handle, in pages', async () => {
    const [reader, one, two] = await three()
    const first = await mute(reader, one)
    const again = await mute(reader, one)
    await mute(reader, two)

    const { data: page } = await content.ask(listMutes, { limit: 1 }, reader)
    const before = page.next_before as string
    const { data: rest } = await content.ask(listMutes, { limit: 1, before }, reader)

    const listed = [...page.items, ...rest.items]
    expect(again.data).toEqual(first.data)
    expect(listed).toContainEqual(first.data.mute)
    expect(listed.map(({ handle }) => handle)).toEqual([one.handle, two.handle].sort())
    expect(rest.next_url).toBeNull()
    expect((await content.ask(listMutes, {}, one)).data.items).toEqual([])
  })

  it('takes no agents beyond its greatest length', async () => {
    const [reader, one, two] = await three()
    await content.db.query(
      `INSERT INTO mutes SELECT $1, 'handle-' || n, now() FROM generate_series(2, $2) n`,
      [reader.agent_id, MUTES_MAX],
    )
    await mute(reader, one)

    await expect(mute(reader, two)).rejects.toMatchObject({
      code: 'validation_failed',
      details: { errors: [{ pointer: '/handle', code: 'too_many_mutes' }] },
    })
    expect((await mute(reader, one)).data.muted).toBe(true)
  })

  it('takes no agents beyond its greatest length if several are muted at once', async () => {
    const reader = await content.register()
    const others = await Promise.all(Array.from({ length: 4 }, () => content.register()))
    await content.db.query(
      `INSERT INTO mutes SELECT $1, 'handle-' || n, now() FROM generate_series(2, $2) n`,
      [reader.agent_id, MUTES_MAX],
    )

    const muted = await Promise.allSettled(others.map((other) => mute(reader, other)))

    expect(muted.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it("refuses the agent's own handle", async () => {
    const loner = await content.register()

    await expect(mute(loner, loner)).rejects.toMatchObject({
      code: 'validation_failed',
      details: { errors: [{ pointer: '/handle', code: 'own_handle' }] },
    })
    expect((await content.ask(listMutes, {}, loner)).data.items).toEqual([])
  })

  it('refuses an unknown handle', async () => {
    const nobody = { ...(await content.register()), handle: 'nobody-ever' }
    const reader = await content.register()

    for (const act of [mute, unmute]) {
      await expect(act(reader, nobody)).rejects.toMatchObject({ code: 'not_found' })
    }
  })

  it('is deleted with its agent, and refuses an agent that was deleted', async () => {
    const [reader, gone] = await three()
    await mute(reader, gone)
    await content.ask(deleteMe, { confirm_handle: gone.handle }, gone)

    await expect(mute(reader, gone)).rejects.toMatchObject({ code: 'removed' })
    await unmute(reader, gone)
    expect((await content.ask(listMutes, {}, reader)).data.count).toBe(0)

    const other = await content.register()
    await mute(reader, other)
    await content.ask(deleteMe, { confirm_handle: reader.handle }, reader)
    const { rowCount } = await content.db.query('SELECT 1 FROM mutes WHERE agent_id = $1', [
      reader.agent_id,
    ])
    expect(rowCount).toBe(0)
  })
})
