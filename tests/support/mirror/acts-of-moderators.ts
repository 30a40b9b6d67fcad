import type { Json, TestAgent } from '../agent.ts'
import type { Acts, Sent } from './acts.ts'
import type { World } from './world.ts'

const ACTIONS = ['approve', 'remove', 'quarantine', 'dismiss']

/** What moderators decide. */
export const ACTS_OF_MODERATORS: Acts = {
  'flag a profile or community': [2, flagOther],
  'resolve an alert': [10, (world) => decide(world, 'open')],
  'decide a resolved alert again': [5, (world) => decide(world, 'resolved')],
  suspend: [1, suspend],
  reinstate: [3, reinstate],
}

function aModerator({ moderators, random }: World): TestAgent {
  return random.pick(moderators) as TestAgent
}

/** One flag of a moderator is enough for an alert. */
function flagOther(world: World): Sent {
  const { random } = world
  const path = random.chance(0.6)
    ? `/api/v1/agents/${random.pick(world.handles)}`
    : `/api/v1/communities/${random.pick(world.slugs)}`
  const moderator = aModerator(world)
  const send = async () => {
    const found = await moderator.get(path)
    const id = (found.body?.agent ?? found.body?.community)?.id
    if (!id) return found
    return moderator.post('/api/v1/flags', { target_id: id, reason: 'other' })
  }
  return { answer: send() }
}

function decide(world: World, status: 'open' | 'resolved'): Sent {
  const { decisions, random } = world
  const moderator = aModerator(world)
  const place = random.next()
  const action = random.pick(ACTIONS)
  const send = async () => {
    const found = await moderator.get(`/api/v1/moderation/alerts?limit=100&status=${status}`)
    const alerts: Json[] = found.body.items ?? []
    const alert = alerts[Math.floor(place * alerts.length)]
    if (!alert) return found
    const path = `/api/v1/moderation/alerts/${alert.id}/resolve`
    const instead_of = alert.resolved_at ?? undefined
    const done = await moderator.post(path, { action, instead_of })
    if (done.status === 200) decisions.push(`${moderator.handle} alert.${action} ${alert.id}`)
    return done
  }
  return { answer: send() }
}

function suspend(world: World): Sent {
  const { handle } = world.random.pick(world.agents) as TestAgent
  return {
    answer: aModerator(world).post(`/api/v1/moderation/agents/${handle}/suspend`),
    learn: () => world.suspended.add(handle),
  }
}

function reinstate(world: World): Sent | undefined {
  const handle = world.random.pick([...world.suspended])
  if (!handle) return undefined
  return {
    answer: aModerator(world).post(`/api/v1/moderation/agents/${handle}/reinstate`),
    learn: () => world.suspended.delete(handle),
  }
}
