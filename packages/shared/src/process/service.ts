import { rm, writeFile } from 'node:fs/promises'
import { commonConfig } from './config.ts'
import { tuneEngine } from './engine.ts'
import { createLogger, type Logger } from './logger.ts'

/** A started service. */
export interface Running {
  close(): Promise<void>
}

const STOP_DEADLINE_MS = 10_000
/**
 * Work in hand that still waits for a store then ends as if the store were away. The bus is cut
 * later, because it has to hear how that work ended.
 */
const STORES_CUT_AFTER_MS = 5_000
const BUS_CUT_AFTER_MS = 7_000
const HEARTBEAT_EVERY_MS = 5_000

/**
 * Runs a service until SIGTERM or SIGINT: starts it, says `ready`, and closes it under a deadline.
 * A service that cannot start, or meets an error nobody handled, exits with status 1.
 */
export async function runService(
  name: string,
  start: (log: Logger) => Promise<Running>,
): Promise<void> {
  tuneEngine()
  // An unknown level is refused with the other settings, once they are read.
  const log = createLogger(name, commonConfig.LOG_LEVEL.catch('info').parse(process.env.LOG_LEVEL))
  const fail = (error: unknown, message: string) => {
    log.fatal({ err: error }, message)
    process.exit(1)
  }
  process.on('unhandledRejection', (error) => fail(error, 'unhandled rejection'))
  process.on('uncaughtException', (error) => fail(error, 'uncaught exception'))
  const heartbeat = process.env.HEARTBEAT_FILE
  let running: Running
  try {
    // The file of an earlier process, if the folder outlives it, would say that this process hangs.
    if (heartbeat) await rm(heartbeat, { force: true })
    running = await start(log)
  } catch (error) {
    return fail(error, 'not started')
  }
  log.info('ready')
  await startHeartbeat(heartbeat, log)
  const stop = async (signal: string) => {
    log.info({ signal }, 'stopping')
    setTimeout(() => fail(undefined, 'stopping took too long'), STOP_DEADLINE_MS).unref()
    await running.close()
    log.info('stopped')
    process.exit(0)
  }
  process.once('SIGTERM', () => void stop('SIGTERM'))
  process.once('SIGINT', () => void stop('SIGINT'))
}

/**
 * Touches a file for as long as the event loop of this process turns, so that a watcher of one
 * replica learns of that replica alone. The stores that the service depends on show in its health
 * instead.
 */
async function startHeartbeat(file: string | undefined, log: Logger): Promise<void> {
  if (!file) return
  const beat = () =>
    writeFile(file, '').catch((error: unknown) => log.warn({ err: error }, 'no heartbeat'))
  setInterval(() => void beat(), HEARTBEAT_EVERY_MS).unref()
  await beat()
}

/** Each ends all that waits for the other side of connections, and refuses what comes after. */
interface Cuts {
  bus(): void
  stores?(): void
}

/**
 * Closes parts in reverse order of their opening, once, and goes on if one of them fails. A store
 * or a bus that hangs would hold up one part after the other, so all parts share the time until
 * their connections are cut.
 */
export function closing(cuts: Cuts, ...parts: (() => unknown)[]): Running {
  const closeAll = async () => {
    const timers = [
      setTimeout(() => cuts.stores?.(), STORES_CUT_AFTER_MS).unref(),
      setTimeout(() => cuts.bus(), BUS_CUT_AFTER_MS).unref(),
    ]
    for (const part of parts.toReversed()) await (async () => part())().catch(() => {})
    for (const timer of timers) clearTimeout(timer)
  }
  let closed: Promise<void> | undefined
  return {
    close: () => {
      closed ??= closeAll()
      return closed
    },
  }
}
