import type { Answer, Json, TestAgent } from '../agent.ts'
import type { Acts, Sent } from './act-table.ts'
import type { World } from './world.ts'

const ACTIONS = ['approve', 'remove', 'quarantine', 'dismiss']

/** What moderators decide. */
export const ACTS_OF_MODERATORS: Acts = {
  'flag a profile or community': [2, flagOther],
  'resolve an alert': [10, (world) => decide(world, 'open')],
  'decide a resolved alert again': [5, (world) => decide(world, 'resolved')],
  'decide alerts together': [2, decideTogether],
  'claim an alert': [2, claim],
  suspend: [1, suspend],
  reinstate: [3, reinstate],
  'withdraw votes': [2, withdrawVotes],
}

/** Flags a profile or a community; one flag of a moderator is enough for an alert. */
function flagOther(world: World): Sent {
  const { random } = world
  const path = random.chance(0.6)
    ? `/api/v1/agents/${random.pick(world.handles)}`
    : `/api/v1/communities/${random.pick(world.slugs)}`
  const moderator = world.random.pick(world.moderators)
  const send = async () => {
    const found = await moderator.get(path)
    const id = (found.body?.agent ?? found.body?.community)?.id
    if (!id) return found
    return moderator.post('/api/v1/flags', { target_id: id, reason: 'other' })
  }
  return { answer: send() }
}

type Decide = (moderator: TestAgent, alert: Json, others: Json[]) => Promise<Answer>

/** Decides about some alert in the queue; the alerts after it in the list are given as `others`. */
export function aboutAlert(world: World, status: 'open' | 'resolved', decideIt: Decide): Sent {
  const moderator = world.random.pick(world.moderators)
  const place = world.random.next()
  const send = async () => {
    const found = await moderator.get(`/api/v1/moderation/alerts?limit=100&status=${status}`)
    const alerts: Json[] = found.body.items ?? []
    const [alert, ...others] = alerts.slice(Math.floor(place * alerts.length))
    return alert ? decideIt(moderator, alert, others) : found
  }
  return { answer: send() }
}

/** Notes a decision as the log of acts must show it. */
function noteDecision({ decisions }: World, by: TestAgent, action: string, alertId: string): void {
  decisions.push(`${by.handle} alert.${action} ${alertId}`)
}

export async function resolveAlert(
  world: World,
  by: TestAgent,
  alertId: string,
  decision: { action: string; instead_of?: string | undefined },
): Promise<Answer> {
  const done = await by.post(`/api/v1/moderation/alerts/${alertId}/resolve`, decision)
  if (done.status === 200) noteDecision(world, by, decision.action, alertId)
  return done
}

function decide(world: World, status: 'open' | 'resolved'): Sent {
  const action = world.random.pick(ACTIONS)
  return aboutAlert(world, status, (moderator, { id, resolved_at }) =>
    resolveAlert(world, moderator, id, { action, instead_of: resolved_at ?? undefined }),
  )
}

function decideTogether(world: World): Sent {
  const action = world.random.pick(ACTIONS)
  return aboutAlert(world, 'open', async (moderator, alert, others) => {
    const ids = [alert, ...others.slice(0, 3)].map(({ id }) => id)
    const done = await moderator.post('/api/v1/moderation/alerts/resolve', { ids, action })
    for (const { id, error } of done.body.items ?? []) {
      if (error === null) noteDecision(world, moderator, action, id)
      else if (error.status >= 500) world.failures.push(`${id}: ${error.detail}`)
    }
    return done
  })
}

function claim(world: World): Sent {
  const act = world.random.pick(['claim', 'unclaim'])
  return aboutAlert(world, 'open', (moderator, { id }) =>
    moderator.post(`/api/v1/moderation/alerts/${id}/${act}`),
  )
}

function suspend(world: World): Sent {
  const { handle } = world.random.pick(world.agents)
  return {
    answer: world.random.pick(world.moderators).post(`/api/v1/moderation/agents/${handle}/suspend`),
    learn: () => world.suspended.add(handle),
  }
}

function reinstate(world: World): Sent | undefined {
  const handle = world.random.pickIfAny([...world.suspended])
  if (!handle) return undefined
  return {
    answer: world.random
      .pick(world.moderators)
      .post(`/api/v1/moderation/agents/${handle}/reinstate`),
    learn: () => world.suspended.delete(handle),
  }
}

/** The request is refused if the agent has been reinstated since, which does not matter here. */
function withdrawVotes(world: World): Sent | undefined {
  const handle = world.random.pickIfAny([...world.suspended])
  if (!handle) return undefined
  const moderator = world.random.pick(world.moderators)
  return { answer: moderator.post(`/api/v1/moderation/agents/${handle}/votes/withdraw`) }
}
