import { onceIn } from '@stoa/shared/process/logger.js'
import type pg from 'pg'
import { hasNoneLeft, isConnectionError, isReadOnly } from './database-errors.ts'
import { allAnswered } from './pipeline.ts'

/** How long the pool stays small after it shrank because the server had no connection left. */
const SMALL_FOR_MS = 10_000
/**
 * Every write that a server which only reads refuses could end a connection, and opening them takes
 * the server from readers. At this rate a pool of 12 is renewed three seconds after a failover.
 */
const RENEW_EVERY_MS = 250

/**
 * Uses connections of a pool and can give one up. The pool shrinks when the server has none left.
 */
export function connectionsOf(pool: pg.Pool, max: number) {
  let connected = 0
  pool.on('connect', () => connected++)
  pool.on('remove', () => connected--)
  let first: Promise<pg.PoolClient> | undefined
  let smallUntilMs = Number.NEGATIVE_INFINITY
  let letGoUntilMs = Number.NEGATIVE_INFINITY
  const shrinkTo = (size: number) => {
    pool.options.max = size
    smallUntilMs = performance.now() + SMALL_FOR_MS
  }
  // A server refuses a connection faster than it accepts one. While none is open, callers wait for
  // the first attempt before they ask for more.
  const connectFirst = async (): Promise<pg.PoolClient> => {
    if (first !== undefined) {
      await first
      return connect()
    }
    first = pool.connect().finally(() => {
      first = undefined
    })
    return first
  }
  const connect = async (): Promise<pg.PoolClient> => {
    if (connected === 0) return connectFirst()
    if (performance.now() >= smallUntilMs) pool.options.max = max
    try {
      return await pool.connect()
    } catch (error) {
      if (!hasNoneLeft(error) || connected === 0) throw error
      // The pool opens another connection only while its own are in use; one of those may be free
      // soon.
      shrinkTo(connected)
      return pool.connect()
    }
  }
  const letOneGo = async (): Promise<void> => {
    // Not again too soon: if other clients take the freed connection, the pool would lose one after
    // the other.
    if (connected < 2 || performance.now() < letGoUntilMs) return
    letGoUntilMs = performance.now() + SMALL_FOR_MS
    const client = await connect()
    shrinkTo(connected - 1)
    client.release(true)
  }
  const mayRenew = onceIn(RENEW_EVERY_MS)
  /** Whether the next user needs another connection than this one. */
  const isToEnd = (error: unknown) => isConnectionError(error) || (isReadOnly(error) && mayRenew())
  /** Runs on a connection of the pool, then returns the connection, or ends it if it is in doubt. */
  const withClient = async <T>(run: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await connect()
    try {
      const result = await run(client)
      client.release()
      return result
    } catch (error) {
      if (isToEnd(error)) client.release(error as Error)
      // The next user of this connection would wait for the statements still queued on it.
      else void allAnswered(client).then(() => client.release())
      throw error
    }
  }
  return { withClient, letOneGo }
}
