import { AppError, isAppError } from '@stoa/shared/errors/errors.js'
import { isError } from '@stoa/shared/process/is-error.js'

/** SQLSTATE of a server that only reads: a standby, or one that is being taken out of service. */
const READ_ONLY = '25006'
/**
 * SQLSTATEs of a server that is starting, stopping, only reading, or out of disk, memory or
 * connections, and of a statement or a transaction that took longer than it may.
 */
const AWAY_STATES = /^(57P0[123]|53...|58...|25006|57014|25P0[34])$/
export const LOCK_NOT_AVAILABLE = '55P03'
const STATEMENT_CANCELED = '57014'
/**
 * Deadlock and serialization failure. A unique violation is not among them, because it would only
 * happen again: writes that could create twins take turns, or one of them does nothing.
 */
const IN_THE_WAY = new Set(['40P01', '40001'])
/**
 * System error codes for a server that cannot be reached, or no longer can. The name of a server
 * that restarts in a container does not resolve in the meantime.
 */
const NETWORK = /^(ECONN.*|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ETIMEDOUT)$/
const AWAY_MESSAGES =
  /^Connection terminated|^Query read timeout|not queryable$|^timeout (?:expired$|exceeded when trying to connect)|^Cannot use a pool after/
/**
 * When the disk is full, a restarted server accepts no sessions, because it cannot write the cache
 * file that each session begins with. PostgreSQL before 18 reports this as XX000.
 */
const NO_ROOM_FOR_SESSIONS = /^could not write init file/

/**
 * Errors of a connection that was lost, or a server that stopped, while a statement was under way.
 */
const CUT_OFF = /^57P0[12]$|^Connection terminated|^Query read timeout/

const TOO_MANY_CONNECTIONS = '53300'
const DISK_FULL = '53100'

/** The server was lost before it answered COMMIT: what the transaction wrote may be stored. */
export class CommitLost extends Error {
  constructor(cause: unknown) {
    super('the answer to COMMIT was lost', { cause })
  }
}

/** The SQLSTATE or system code of an error; empty if the error has neither. */
export function codeOf(error: unknown): string {
  return isError(error) && 'code' in error ? String(error.code) : ''
}

/** Whether the connection was cut off, so that a statement already sent may have run. */
export function isCutOff(error: unknown): boolean {
  if (!isError(error)) return false
  const code = codeOf(error)
  return NETWORK.test(code) || CUT_OFF.test(code) || CUT_OFF.test(error.message)
}

/** Whether the server refused another connection because all of its connections are in use. */
export function hasNoneLeft(error: unknown): boolean {
  return codeOf(error) === TOO_MANY_CONNECTIONS
}

/** Whether the server's disk is full. */
export function hasNoRoom(error: unknown): boolean {
  return codeOf(error) === DISK_FULL
}

/** Whether the error is only a conflict with another transaction, which may be over by now. */
export function isInTheWay(error: unknown): boolean {
  return IN_THE_WAY.has(codeOf(error))
}

/** Whether the server ended a statement that waited for a lock, or ran, for longer than it may. */
export function isTimedOut(error: unknown): boolean {
  return [LOCK_NOT_AVAILABLE, STATEMENT_CANCELED].includes(codeOf(error))
}

/** Whether a lock was not available in time, or the transaction lost a conflict with another. */
export function isHeld(error: unknown): boolean {
  return codeOf(error) === LOCK_NOT_AVAILABLE || isInTheWay(error)
}

/**
 * Turns the errors of a database that does not answer into `unavailable`; any other error is a bug.
 */
export function asAppError(error: unknown): unknown {
  if (!isError(error) || isAppError(error)) return error
  const code = codeOf(error)
  const reason = reasonOf(error)
  const away =
    reason !== undefined ||
    error instanceof CommitLost ||
    AWAY_STATES.test(code) ||
    NETWORK.test(code) ||
    AWAY_MESSAGES.test(error.message) ||
    NO_ROOM_FOR_SESSIONS.test(error.message)
  if (!away) return error
  const details = { retry_after_seconds: 2, ...(reason === undefined ? {} : { reason }) }
  return new AppError('unavailable', details, { cause: error })
}

/** Why a server that answers did not do what it was asked: others may still be answered. */
function reasonOf(error: unknown): string | undefined {
  if (isHeld(error)) return 'held'
  return isReadOnly(error) || hasNoRoom(error) ? 'unwritable' : undefined
}

/** Five characters, the first never an E, unlike system error names such as EPIPE. */
const SQLSTATE = /^[0-9A-DF-Z][0-9A-Z]{4}$/

/** An error without an SQLSTATE puts the connection itself in doubt. */
export function isConnectionError(error: unknown): boolean {
  return !SQLSTATE.test(codeOf(error)) && !isAppError(error)
}

/** Whether the server only reads: a new connection may lead to the one that has taken its place. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === READ_ONLY
}

/**
 * Whether a migration changed the result of a statement that was prepared before. A connection on
 * which it was prepared refuses the statement for good.
 */
export function isOutdatedPlan(error: unknown): boolean {
  return isError(error) && 'routine' in error && error.routine === 'RevalidateCachedQuery'
}
