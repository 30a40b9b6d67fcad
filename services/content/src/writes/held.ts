import { AppError, type ErrorCode } from '@stoa/shared/errors/errors.js'

/**
 * Another transaction holds what a write needs. The write does not wait in its transaction, where
 * all writes that share it would wait too: it is tried again for `waitMs` milliseconds and then
 * refused. `need` names what is held, if other writes may need the same.
 */
export class Held extends AppError {
  readonly waitMs: number
  readonly need: string | undefined

  constructor(code: ErrorCode, waitMs: number, need?: string) {
    super(code, { retry_after_seconds: 1, ...(need === undefined ? {} : { reason: 'held' }) })
    this.waitMs = waitMs
    this.need = need
  }
}

/** The first request with this Idempotency-Key has not ended. Tried again for 1 s. */
export function heldKey(): Held {
  return new Held('idempotency_in_progress', 1_000)
}

/**
 * Another transaction has locked this row or account. Tried again for 5 s: no transaction waits
 * longer for a lock.
 */
export function heldRow(id: string): Held {
  return new Held('unavailable', 5_000, id)
}
