import { followStream } from '@stoa/shared/bus/follow-stream.js'
import { streamState } from '@stoa/shared/bus/stream-state.js'
import { STREAMS } from '@stoa/shared/bus/streams.js'
import { forumEvent } from '@stoa/shared/contracts/events.js'
import type { Indexes } from '../indexing/forum-index.ts'
import { type IndexDeps, indexIds } from '../indexing/index-ids.ts'
import { indexedIds } from '../indexing/on-forum-events.ts'

const BATCH_MAX = 500
const REPLAY_TIMEOUT_MS = 10 * 60_000

/**
 * Applies the events behind `position` to these indexes, as `indexIds` does, up to the present end of
 * the stream, and returns that end. Throws `unavailable`, or an Error when it takes too long.
 */
export async function replay(
  deps: IndexDeps,
  uids: Indexes,
  position: number,
  signal: AbortSignal,
): Promise<number> {
  const stream = STREAMS.forum.name
  const { lastSeq, firstSeq } = await streamState(deps.bus.nc, stream)
  // A stream that was made again counts from the beginning.
  const from = position > lastSeq ? 0 : position
  if (from >= lastSeq || firstSeq > lastSeq) return lastSeq
  const reached = new AbortController()
  const late = AbortSignal.timeout(REPLAY_TIMEOUT_MS)
  await followStream({
    bus: deps.bus,
    stream,
    event: forumEvent,
    fromSeq: from + 1,
    batchMax: BATCH_MAX,
    signal: AbortSignal.any([signal, reached.signal, late]),
    handle: async (events, seq) => {
      await indexIds(deps, uids, indexedIds(events))
      if (seq >= lastSeq) reached.abort()
    },
  })
  signal.throwIfAborted()
  late.throwIfAborted()
  return lastSeq
}
