import type pg from 'pg'
import { hasNoneLeft, isConnectionError } from './database-errors.ts'
import { allAnswered } from './pipeline.ts'

/** So long a server that has no connection left is asked for none. */
const SMALL_FOR_MS = 10_000

/** How those of a pool are taken, and one is given back; it becomes smaller where the server has no more. */
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
  // A server refuses sooner than it lets in: where there is none yet, the first tells whether to ask for more.
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
      // The pool asks for another connection while its own are in use: one of those may be free soon.
      shrinkTo(connected)
      return pool.connect()
    }
  }
  const letOneGo = async (): Promise<void> => {
    // Whoever else takes the place would get one after the other.
    if (connected < 2 || performance.now() < letGoUntilMs) return
    letGoUntilMs = performance.now() + SMALL_FOR_MS
    const client = await connect()
    shrinkTo(connected - 1)
    client.release(true)
  }
  return { connect, letOneGo }
}

/** On one of them, which is given back, or ended if it is in doubt. */
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
    // Whoever has it next would wait behind what was sent beside the statement that failed.
    else void allAnswered(client).then(() => client.release())
    throw error
  }
}
