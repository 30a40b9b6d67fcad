import type { Json } from '../agent.ts'
import { fieldsThatDiffer } from './differences.ts'
import { readList } from './shown.ts'
import { untilNone } from './until-none.ts'
import type { World } from './world.ts'

/** Nothing tells of claims. */
const UNTOLD = ['status', 'claimed_by', 'claimed_until']
/** What goes with an account, of a community that never was public even its address. */
const EMPTIED = ['excerpt', 'findings', 'target']

/** In what alerts that were told of, twice or in whatever order, differ from those there are. */
export function alertsThatDiffer(
  { forum, moderators }: World,
  received: () => { alert: Json }[],
): Promise<string[]> {
  const [{ key }] = moderators
  return untilNone('every alert is told of', async () => {
    const alerts = await readList(forum.url, '/api/v1/moderation/alerts', key)
    return alerts.flatMap((now) => {
      const told = received()
        .map(({ alert }) => alert)
        .filter(({ id }) => id === now.id)
      if (!told.some(({ status }) => status === 'open')) return [`${now.id} was not told of`]
      const last = told.find(({ resolved_at }) => resolved_at === now.resolved_at)
      return last ? fieldsThatDiffer(kept(last, now), now) : [`${now.id} was resolved untold`]
    })
  })
}

/** The reason of an appeal, which nobody has judged, is told by the list alone. */
function kept(alert: Json, now: Json): Json {
  const { excerpt, source } = now
  const left = [
    ...UNTOLD,
    ...(excerpt === '' ? EMPTIED : []),
    ...(source === 'appeal' ? ['excerpt'] : []),
  ]
  return Object.fromEntries(Object.entries(alert).filter(([name]) => !left.includes(name)))
}
