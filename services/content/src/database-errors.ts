import { AppError } from '@stoa/shared/errors.js'

/** Server starting, stopping or full; a lock, a statement or a transaction that took longer than it may. */
const AWAY_STATES = new Set(['57P01', '57P02', '57P03', '53300', '55P03', '57014', '25P03'])
const AWAY_MESSAGES =
  /^Connection terminated|^Query read timeout|not queryable$|^timeout exceeded when trying to connect|ECONN|EPIPE/

/** A database that does not answer is a condition callers know; anything else is a bug. */
export function asAppError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name === 'AppError') return error
  const code = 'code' in error ? String(error.code) : ''
  const away =
    AWAY_STATES.has(code) || AWAY_MESSAGES.test(code) || AWAY_MESSAGES.test(error.message)
  if (!away) return error
  return new AppError('unavailable', { retry_after_seconds: 2 }, { cause: error })
}

/** Five characters, which are never E first, as they are in the names of errors of the system: EPIPE. */
const SQLSTATE = /^[0-9A-DF-Z][0-9A-Z]{4}$/

/** Where PostgreSQL says nothing of an error, the connection itself is in doubt. */
export function isConnectionError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return !SQLSTATE.test(code) && (error as Error)?.name !== 'AppError'
}
