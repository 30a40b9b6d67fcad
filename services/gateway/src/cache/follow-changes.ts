import type { CloudEvent } from '@stoa/shared/bus/events.js'
import {
  CHANGES_APPENDED,
  forumEvent,
  INVALIDATE,
  InvalidateNotice,
  type Reference,
} from '@stoa/shared/contracts/events.js'
import { type Core, changesAppended, outdate } from '../core.ts'
import { tagsOfEvent } from './event-tags.ts'

/**
 * Outdates cached answers and keys when others announce a change, and all of them while the bus,
 * which carries the announcements, is lost.
 */
export function followChanges(core: Core): void {
  const { bus, cache, keys, streams } = core
  bus.hear(INVALIDATE, (payload) => outdate(core, InvalidateNotice.parse(payload).tags))
  bus.hear(CHANGES_APPENDED, () => changesAppended(core))
  bus.hear(forumEvent.subject, (event, subject) => {
    outdate(core, tagsOfEvent(subject, (event as CloudEvent<Partial<Reference>>).data))
  })
  bus.watch({
    lost: () => {
      cache.disconnected()
      keys.clear()
    },
    back: () => {
      // No key was looked up while the bus was lost, so none has to be forgotten.
      cache.reconnected()
      streams.missed()
    },
  })
}
