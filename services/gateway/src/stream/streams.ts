import { Places } from '../limits/places.ts'

interface StreamSettings {
  max: number
  perAddressMax: number
}

/** What the open streams of one gateway share. */
export interface Streams {
  /** Of readers of the log, who may be anybody. */
  places: Places
  /** Of moderators, whom no number of readers keeps from what is raised. */
  alertPlaces: Places
  /** There may be something new. */
  wake(): void
  /** Calls `run` whenever there may be something new; returns how to stop. */
  onWake(run: () => void): () => void
  /** The bus is back: what it said while it was lost was heard by nobody here. */
  missed(): void
  onMissed(run: () => void): () => void
  /** Ends every stream, those too that are yet to begin, for the gateway to stop. */
  close(): void
  onStop(run: () => void): () => void
}

/** Notices can be lost, so streams also look by themselves. */
const POLL_MS = 2_000
const RETRY_SECONDS = 30

export function createStreams(settings: StreamSettings): Streams {
  const wakes = new Set<() => void>()
  const stops = new Set<() => void>()
  const misses = new Set<() => void>()
  let isClosed = false
  const wake = () => {
    for (const run of wakes) run()
  }
  const timer = setInterval(wake, POLL_MS)
  const listen = (set: Set<() => void>) => (run: () => void) => {
    set.add(run)
    return () => {
      set.delete(run)
    }
  }
  const places = () => new Places({ ...settings, retrySeconds: RETRY_SECONDS })
  return {
    places: places(),
    alertPlaces: places(),
    wake,
    onWake: listen(wakes),
    missed: () => {
      for (const run of misses) run()
    },
    onMissed: listen(misses),
    onStop: (run) => {
      // A request that was in hand may only now have come to what it streams.
      if (isClosed) run()
      return listen(stops)(run)
    },
    close: () => {
      isClosed = true
      clearInterval(timer)
      for (const run of stops) run()
    },
  }
}
