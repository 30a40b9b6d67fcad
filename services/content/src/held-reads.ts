import { AppError } from '@stoa/shared/errors/errors.js'
import { codeOf, LOCK_NOT_AVAILABLE } from './database-errors.ts'

/** So long a kind is called held behind a wait in vain, if nothing of it is read meanwhile. */
const HELD_FOR_MS = 10_000

export interface HeldReads {
  /** Runs a statement of this name; throws `unavailable` at once where enough wait for such as it. */
  run<T>(name: string, read: () => Promise<T>): Promise<T>
  /** Whether a lock keeps any kind of statement from what it reads. */
  any(): boolean
}

/**
 * Somebody may lock a table for minutes, and each read of it would take a connection of the pool for as long as
 * it may wait. Kinds of statements that have waited in vain share `triesMax` connections, until one of the
 * kind gets through: what reads other tables has the rest.
 */
export function heldReads(triesMax: number): HeldReads {
  const untilMs = new Map<string, number>()
  let tries = 0
  const isHeld = (kind: string) => performance.now() < (untilMs.get(kind) ?? 0)
  return {
    run: async (name, read) => {
      const kind = kindOf(name)
      const isTry = isHeld(kind)
      if (isTry && tries >= triesMax) throw refusal()
      if (isTry) tries++
      try {
        const found = await read()
        untilMs.delete(kind)
        return found
      } catch (error) {
        if (codeOf(error) === LOCK_NOT_AVAILABLE) untilMs.set(kind, performance.now() + HELD_FOR_MS)
        throw error
      } finally {
        if (isTry) tries--
      }
    },
    any: () => [...untilMs.keys()].some(isHeld),
  }
}

/** What differs only by what a caller chooses reads the same tables. */
function kindOf(name: string): string {
  return name.split(':', 1)[0] as string
}

function refusal(): AppError {
  const cause = new Error('what it reads is locked, and others wait for that already')
  return new AppError('unavailable', { retry_after_seconds: 2, reason: 'held' }, { cause })
}
