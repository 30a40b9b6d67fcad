import { hotTag } from '@stoa/shared/answers/cache-tags.js'
import type { Bus } from '@stoa/shared/bus/bus.js'
import { INVALIDATE } from '@stoa/shared/contracts/events.js'

/** Gateways read each list again at most this often. */
const INTERVAL_MS = 10

export interface Announcer {
  /**
   * Posts came or went in these communities. Told at once, or together with the changes of the next
   * 10 ms. Moves of posts are not told: lists may be a second out of date in that.
   */
  changed(communities: string[]): void
  close(): void
}

export function createAnnouncer(bus: Pick<Bus, 'tell'>): Announcer {
  let timer: NodeJS.Timeout | undefined
  let owed = new Set<string>()
  const tell = () => {
    timer = undefined
    if (owed.size === 0) return
    bus.tell(INVALIDATE, { tags: [...owed] })
    owed = new Set()
    timer = setTimeout(tell, INTERVAL_MS)
  }
  return {
    changed: (communities) => {
      owed.add(hotTag())
      for (const slug of communities) owed.add(hotTag(slug))
      if (!timer) tell()
    },
    close: () => clearTimeout(timer),
  }
}
