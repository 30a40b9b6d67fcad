import type pg from 'pg'
import { hasNoneLeft, isConnectionError } from './database-errors.ts'
import { allAnswered } from './pipeline.ts'

/** How long the pool stays small after it shrank because the server had no connection left. */
const SMALL_FOR_MS = 10_000

/**
 * Takes connections of a pool and can give one up. The pool shrinks when the server has none left.
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
  return { connect, letOneGo }
}

/** Runs on a connection of the pool, then returns the connection, or ends it if it is in doubt. */
export async function withClient<T>(
  connect: () => Promise<pg.PoolClient>,
  run: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await connect()
  try {
    const result = await run(client)
    client.release()
    return result
  } catch (error) {
    if (isConnectionError(error)) client.release(error as Error)
    // The next user of this connection would wait for the statements still queued on it.
    else void allAnswered(client).then(() => client.release())
    throw error
  }
}
