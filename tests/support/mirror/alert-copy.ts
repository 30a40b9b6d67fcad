import type { Json } from '../agent.ts'
import { listen } from '../event-source.ts'
import { fieldsThatDiffer } from './differences.ts'
import { readList } from './shown.ts'
import { untilNone } from './until-none.ts'
import type { World } from './world.ts'

/** No message tells of claims. */
const UNTOLD = ['status', 'claimed_by', 'claimed_until']
/**
 * Fields that are emptied with a deleted account; `target` is emptied for a community that never
 * was public.
 */
const EMPTIED = ['excerpt', 'findings', 'target']

/**
 * Where the alerts that were received, possibly twice or out of order, differ from the list of
 * alerts.
 */
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
      return last
        ? fieldsThatDiffer(kept(last, now), asTold(now))
        : [`${now.id} was resolved untold`]
    })
  })
}

/** Where a stream that resumes after some alert does not tell of the alerts raised since. */
export async function missedAlertDifferences({ forum, moderators }: World): Promise<string[]> {
  const [{ key }] = moderators
  const alerts = await readList(forum.url, '/api/v1/moderation/alerts', key)
  const place = alerts[Math.floor(alerts.length / 2)]?.created_at
  const url = `${forum.url}/api/v1/moderation/stream`
  const source = await listen(url, { key, lastEventId: place })
  const found = await untilNone('a stream goes on where it was left', async () => {
    const told = source.received.map(({ data }) => data.alert)
    return alerts
      .filter(({ created_at }) => created_at > place)
      .flatMap((now) => {
        const alert = told.find(({ id }) => id === now.id)
        return alert ? fieldsThatDiffer(alert, asTold(now)) : [`${now.id} was not told of`]
      })
  })
  source.close()
  return found
}

/** Only the list tells the reason of an appeal, because nobody has judged that text. */
function asTold(now: Json): Json {
  return now.source === 'appeal' ? { ...now, excerpt: '' } : now
}

function kept(alert: Json, { excerpt, findings, source }: Json): Json {
  // The excerpt of an appeal stays when the text with the findings is erased.
  const erased = source === 'appeal' && findings.length === 0 ? ['findings'] : []
  const left = [...UNTOLD, ...(excerpt === '' ? EMPTIED : []), ...erased]
  return Object.fromEntries(Object.entries(alert).filter(([name]) => !left.includes(name)))
}
