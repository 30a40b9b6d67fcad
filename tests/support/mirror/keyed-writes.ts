import { kindOfId } from '@stoa/shared/identifiers/ids.js'
import type { Json } from '../agent.ts'
import type { Shown } from './shown.ts'
import type { World } from './world.ts'

/** Where `/me/writes` tells of a write otherwise than its answer did or its readers see. */
export async function keyedWriteDifferences(
  { agents, keyed, moderators }: World,
  shown: Shown,
): Promise<string[]> {
  const found: string[] = []
  const there = [...agents, ...moderators]
  for (const { by, id, key } of keyed.filter((write) => there.includes(write.by))) {
    const { body, status } = await by.get(`/api/v1/me/writes/${key}`)
    if (status !== 200 || body.resource_id !== id) {
      found.push(`${key}: ${status} ${body.resource_id}, told ${id}`)
    } else if (
      !waitsBehindAnother(body, shown) &&
      !wasMadeAgain(body, keyed) &&
      (body.visibility === 'public') !== shown.has(id)
    ) {
      found.push(`${id} is ${body.visibility}, shown: ${shown.has(id)}`)
    }
  }
  return found
}

/**
 * A second report by a suspended agent waits for its account, while the first report is still
 * shown.
 */
function waitsBehindAnother({ resource_id: id, visibility }: Json, shown: Shown): boolean {
  return kindOfId(id) === 'reproduction' && visibility === 'pending' && shown.has(id)
}

/** A report that was taken back and made again has the same id, and a case for each time. */
function wasMadeAgain({ resource_id: id, visibility }: Json, keyed: World['keyed']): boolean {
  return (
    kindOfId(id) === 'reproduction' &&
    visibility === 'deleted' &&
    keyed.filter((write) => write.id === id).length > 1
  )
}
