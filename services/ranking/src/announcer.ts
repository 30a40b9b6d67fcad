import type { Bus } from '@stoa/shared/bus/bus.js'
import { INVALIDATE } from '@stoa/shared/contracts/events.js'

/** At most twenty notices a second: each empties a cache at every gateway. */
const INTERVAL_MS = 50
const TAGS = ['hot', 'posts']

export interface Announcer {
  /** The hot order has changed; told at once, or together with the changes of the next 50 ms. */
  changed(): void
  close(): void
}

export function createAnnouncer(bus: Pick<Bus, 'tell'>): Announcer {
  let timer: NodeJS.Timeout | undefined
  let owed = false
  const tell = () => {
    owed = false
    bus.tell(INVALIDATE, { tags: TAGS })
    timer = setTimeout(() => {
      timer = undefined
      if (owed) tell()
    }, INTERVAL_MS)
  }
  return {
    changed: () => {
      if (timer) owed = true
      else tell()
    },
    close: () => clearTimeout(timer),
  }
}
