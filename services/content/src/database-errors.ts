import { AppError, isAppError } from '@stoa/shared/errors/errors.js'
import { isError } from '@stoa/shared/process/is-error.js'

/** Of a server that only reads: a standby, or one that is being taken out of service. */
const READ_ONLY = '25006'
/**
 * Server starting, stopping, out of disk, memory or connections, or only reading; a lock, a statement
 * or a transaction that took longer than it may.
 */
const AWAY_STATES = /^(57P0[123]|53...|58...|25006|57014|25P0[34])$/
export const LOCK_NOT_AVAILABLE = '55P03'
/**
 * Deadlock and serialization failure. No violation of a unique index: where twins may meet, they
 * take turns or one does nothing, so that would only happen again.
 */
const IN_THE_WAY = new Set(['40P01', '40001'])
/**
 * What the system says of a server that cannot be reached, or is not any more. One that is started anew
 * in a container has no name meanwhile.
 */
const NETWORK = /^(ECONN.*|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ETIMEDOUT)$/
const AWAY_MESSAGES =
  /^Connection terminated|^Query read timeout|not queryable$|^timeout (?:expired$|exceeded when trying to connect)/
/**
 * With a full disk a server that has been started anew lets nobody in, since it cannot write down what
 * each session begins with. Before PostgreSQL 18 it calls that an error of its own, XX000.
 */
const NO_ROOM_FOR_SESSIONS = /^could not write init file/

/** Of a connection that was lost with a statement under way, or a server that went meanwhile. */
const CUT_OFF = /^57P0[12]$|^Connection terminated|^Query read timeout/

const TOO_MANY_CONNECTIONS = '53300'
const DISK_FULL = '53100'

/** The server was lost before it answered COMMIT: what the transaction wrote may be stored. */
export class CommitLost extends Error {
  constructor(cause: unknown) {
    super('the answer to COMMIT was lost', { cause })
  }
}

/** The SQLSTATE of an error, or what the system calls it; empty where it has neither. */
export function codeOf(error: unknown): string {
  return isError(error) && 'code' in error ? String(error.code) : ''
}

/** Whether a statement was sent that may have been run all the same. */
export function isCutOff(error: unknown): boolean {
  if (!isError(error)) return false
  const code = codeOf(error)
  return NETWORK.test(code) || CUT_OFF.test(code) || CUT_OFF.test(error.message)
}

/** Whether a server refused another connection because it has given out all it has. */
export function hasNoneLeft(error: unknown): boolean {
  return codeOf(error) === TOO_MANY_CONNECTIONS
}

/** Whether the disk of the server took nothing more. */
export function hasNoRoom(error: unknown): boolean {
  return codeOf(error) === DISK_FULL
}

/** Whether only another transaction stood in the way, which may be gone by now. */
export function isInTheWay(error: unknown): boolean {
  return IN_THE_WAY.has(codeOf(error))
}

/** Whether what a statement needs was locked, or its transaction ended for one that stood in the way. */
export function isHeld(error: unknown): boolean {
  return codeOf(error) === LOCK_NOT_AVAILABLE || isInTheWay(error)
}

/** A database that does not answer is a condition callers know; anything else is a bug. */
export function asAppError(error: unknown): unknown {
  if (!isError(error) || isAppError(error)) return error
  const code = codeOf(error)
  const held = isHeld(error)
  const away =
    held ||
    error instanceof CommitLost ||
    AWAY_STATES.test(code) ||
    NETWORK.test(code) ||
    AWAY_MESSAGES.test(error.message) ||
    NO_ROOM_FOR_SESSIONS.test(error.message)
  if (!away) return error
  const reason = held ? { reason: 'held' } : {}
  return new AppError('unavailable', { retry_after_seconds: 2, ...reason }, { cause: error })
}

/** Five characters, which are never E first, as they are in the names of errors of the system: EPIPE. */
const SQLSTATE = /^[0-9A-DF-Z][0-9A-Z]{4}$/

/**
 * Where PostgreSQL says nothing of an error, the connection itself is in doubt. One to a server that
 * only reads stays with it, where a new one may lead to the server that has taken its place.
 */
export function isConnectionError(error: unknown): boolean {
  const code = codeOf(error)
  if (code === READ_ONLY) return true
  return !SQLSTATE.test(code) && !isAppError(error)
}

/**
 * A statement that was prepared before a migration changed what it answers. A connection that has it
 * refuses it for good.
 */
export function isOutdatedPlan(error: unknown): boolean {
  return isError(error) && 'routine' in error && error.routine === 'RevalidateCachedQuery'
}
