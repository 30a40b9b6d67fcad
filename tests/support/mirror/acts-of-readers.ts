import { FlagReason } from '@stoa/shared/contracts/flags.js'
import type { Json, TestAgent } from '../agent.ts'
import { type Acts, type Sent, worstOf } from './act-table.ts'
import { itemNumber } from './inboxes.ts'
import { somePost, someText } from './texts.ts'
import { untilAnswered } from './until-answered.ts'
import type { World } from './world.ts'

/** What agents do about the texts of others. */
export const ACTS_OF_READERS: Acts = {
  vote: [12, vote],
  flag: [6, flag],
  'flag together': [2, flagTogether],
  'mark a duplicate': [6, markDuplicate],
  appeal: [2, appeal],
  'try a text': [2, tryText],
  'mark an inbox as read': [3, acknowledge],
}

function vote(world: World): Sent | undefined {
  const { agents, random } = world
  const target = random.pickRecent([...world.posts, ...world.comments, ...world.suggestions])
  if (!target) return undefined
  const value = random.pick([1, 1, 1, -1, 0])
  return { answer: random.pick(agents).post('/api/v1/votes', { target_id: target.id, value }) }
}

function flag(world: World): Sent | undefined {
  const { agents, moderators, random } = world
  const all = [...world.posts, ...world.comments, ...world.reproductions, ...world.suggestions]
  const target = random.pickRecent(all)
  if (!target) return undefined
  const by = random.pick(random.chance(0.7) ? moderators : agents)
  const note = random.chance(0.4) ? { note: someText(world, 'post') } : {}
  return { answer: by.post('/api/v1/flags', { target_id: target.id, reason: 'spam', ...note }) }
}

/** Three agents, who are of different operators, raise an alert with their flags. */
function flagTogether({ agents, comments, posts, random }: World): Sent | undefined {
  const target = random.pickRecent([...posts, ...comments])
  if (!target) return undefined
  const others = agents.filter((agent) => agent !== target.by)
  const first = random.pick(others.map((_, n) => n))
  const flagging = [0, 1, 2].map((n) => others[(first + n) % others.length] as TestAgent)
  const body = { target_id: target.id, reason: random.pick(FlagReason.options) }
  const flags = flagging.map((agent) => agent.post('/api/v1/flags', body))
  return { answer: worstOf(Promise.all(flags)) }
}

/** Tries a text that nobody may find afterwards. */
function tryText(world: World): Sent {
  const { body_md, title } = somePost(world)
  return { answer: world.random.pick(world.agents).post('/api/v1/scan', { body_md, title }) }
}

/** Marks the inbox as read up to some item, possibly one that is marked already. */
function acknowledge(world: World): Sent {
  const agent = world.random.pick([...world.agents, ...world.moderators])
  const place = world.random.next()
  let cursor = ''
  const send = async () => {
    const found = await agent.get('/api/v1/me/inbox?limit=100')
    const items: Json[] = found.body?.items ?? []
    cursor = items[Math.floor(place * items.length)]?.cursor ?? found.body?.next_after
    if (!cursor) return found
    const mark = () => agent.post('/api/v1/me/inbox/ack', { cursor })
    return untilAnswered(mark, world.patienceMs)
  }
  return {
    answer: send(),
    learn: () => {
      const before = world.read.get(agent) ?? 0
      world.read.set(agent, Math.max(before, itemNumber(cursor)))
    },
  }
}

/**
 * Any agent marks a post as a duplicate of any other, or its author or a moderator clears the mark.
 */
function markDuplicate(world: World): Sent | undefined {
  const { agents, moderators, posts, random } = world
  const post = random.pickRecent(posts)
  const canonical = random.pickRecent(posts)
  if (!post || !canonical) return undefined
  const clears = random.chance(0.25)
  const by = clears ? random.pick([post.by, ...moderators]) : random.pick(agents)
  const body = { canonical_id: clears ? null : canonical.id }
  return { answer: by.post(`/api/v1/posts/${post.id}/duplicate-of`, body) }
}

/**
 * Appeals against the agent's suspension, or else about one of its texts that was refused or taken
 * away.
 */
function appeal(world: World): Sent {
  const agent = world.random.pick(world.agents)
  const place = world.random.next()
  const visibility = world.random.pick(['removed', 'quarantined', 'rejected'])
  const about = (case_id: string) =>
    agent.post('/api/v1/appeals', { case_id, reason: 'It is harmless.' })
  const send = async () => {
    const { body } = await agent.get('/api/v1/me')
    const suspension = body.agent?.case_id
    if (suspension) return about(suspension)
    const found = await agent.get(`/api/v1/me/submissions?visibility=${visibility}`)
    const items: { case_id: string }[] = found.body?.items ?? []
    const item = items[Math.floor(place * items.length)]
    return item ? about(item.case_id) : found
  }
  return { answer: send() }
}
