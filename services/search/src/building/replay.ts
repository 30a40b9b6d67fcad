import { followStream } from '@stoa/shared/bus/follow-stream.js'
import { canResume, type StreamPosition, streamState } from '@stoa/shared/bus/stream-state.js'
import { STREAMS } from '@stoa/shared/bus/streams.js'
import { forumEvent } from '@stoa/shared/contracts/events.js'
import type { Indexes } from '../indexing/forum-index.ts'
import { type IndexDeps, indexIds } from '../indexing/index-ids.ts'
import { indexedIds } from '../indexing/on-forum-events.ts'

const BATCH_MAX = 500
const REPLAY_TIMEOUT_MS = 10 * 60_000

/**
 * Applies the events after `from` to these indexes, as `indexIds` does, up to the present end of
 * the stream, and returns that end. Throws `unavailable`, or an Error when it takes too long or the
 * stream has dropped some of the events.
 */
export async function replay(
  deps: IndexDeps,
  uids: Indexes,
  from: StreamPosition,
  signal: AbortSignal,
): Promise<StreamPosition> {
  const stream = STREAMS.forum.name
  const state = await streamState(deps.bus.nc, stream)
  if (!canResume(from, state)) throw new Error('the bus dropped events before they were indexed')
  const { lastSeq } = state
  const end = { stream: from.stream, position: lastSeq }
  if (from.position === lastSeq) return end
  const reached = new AbortController()
  const late = AbortSignal.timeout(REPLAY_TIMEOUT_MS)
  await followStream({
    bus: deps.bus,
    stream,
    event: forumEvent,
    fromSeq: from.position + 1,
    batchMax: BATCH_MAX,
    signal: AbortSignal.any([signal, reached.signal, late]),
    handle: async (events, seq) => {
      await indexIds(deps, uids, indexedIds(events))
      if (seq >= lastSeq) reached.abort()
    },
  })
  signal.throwIfAborted()
  late.throwIfAborted()
  return end
}
