import { AppError } from '@stoa/shared/errors/errors.js'
import { isTimedOut } from './database-errors.ts'

/**
 * How long a kind stays held after one of its reads timed out, unless another read of the kind
 * succeeds.
 */
const HELD_FOR_MS = 10_000

interface HeldReads {
  /**
   * Runs a statement of this name. Throws `unavailable` if its kind is held and enough others wait.
   */
  run<T>(name: string, read: () => Promise<T>): Promise<T>
  /** Whether any kind of statement is held. */
  any(): boolean
}

/**
 * A table may be locked or slow for minutes, and each read of the table would occupy a connection of
 * the pool until it times out. Kinds of statements that timed out share `triesMax` connections until
 * a read of the kind succeeds, and other reads have the rest.
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
        if (isTimedOut(error)) untilMs.set(kind, performance.now() + HELD_FOR_MS)
        throw error
      } finally {
        if (isTry) tries--
      }
    },
    any: () => [...untilMs.keys()].some(isHeld),
  }
}

/** Statements of one family differ only by a caller's choices and read the same tables. */
function kindOf(name: string): string {
  return name.split(':', 1)[0] as string
}

function refusal(): AppError {
  const cause = new Error('what it reads is locked or slow, and others wait for that already')
  return new AppError('unavailable', { retry_after_seconds: 2, reason: 'held' }, { cause })
}
