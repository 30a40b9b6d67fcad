import { Places } from '../limits/places.ts'

interface StreamSettings {
  max: number
  perAddressMax: number
}

/** What the open streams of one gateway share. */
export interface Streams {
  /** Places for readers of the change log, who may be anybody. */
  places: Places
  /** Places for moderators, so that no number of other readers keeps them from alerts. */
  alertPlaces: Places
  /** Tells streams that there may be something new. */
  wake(): void
  /** Calls `run` whenever there may be something new; returns a function that stops it. */
  onWake(run: () => void): () => void
  /** Tells streams that the bus is back, and that they missed what it said while it was lost. */
  missed(): void
  onMissed(run: () => void): () => void
  /** Ends every stream, also those yet to begin, because the gateway stops. */
  close(): void
  onStop(run: () => void): () => void
}

/** Notices can be lost, so streams also look for changes at this interval. */
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
      // A request in hand may open its stream only after the close.
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
