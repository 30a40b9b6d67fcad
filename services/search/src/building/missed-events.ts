import { acknowledgedTo, canResume, streamState } from '@stoa/shared/bus/stream-state.js'
import { STREAMS } from '@stoa/shared/bus/streams.js'
import type { IndexDeps } from '../indexing/index-ids.ts'

/** The durable consumer that brings the index up to date; renaming it replays the stream. */
export const DURABLE = 'search'

/**
 * Whether the stream has dropped events before they were indexed, so that only a rebuild finds what
 * they told of. If not, notes in the index how far it is: the server moves the consumer's own
 * position past dropped events. Throws `unavailable`, or an Error while there is no consumer yet.
 */
export async function hasMissedEvents({ bus, index }: IndexDeps): Promise<boolean> {
  const noted = await index.position()
  // Every index that was built has a position: this one was wiped since.
  if (noted === undefined) return false
  // Asked before the state: an event that is still in the stream then was in it at this moment too.
  const position = await acknowledgedTo(bus.nc, STREAMS.forum.name, DURABLE)
  const state = await streamState(bus.nc, STREAMS.forum.name)
  if (!canResume(noted, state)) return true
  if (noted.position < position) await index.notePosition({ ...noted, position })
  return false
}
