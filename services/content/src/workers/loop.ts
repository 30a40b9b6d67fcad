import { type Logger, onceIn } from '@stoa/shared/process/logger.js'

export interface Worker {
  /** Runs the next turn now instead of after the rest, unless the turn before failed. */
  wake(): void
  close(): Promise<void>
}

const RETRY_MS = 1_000
/** An outage of an hour must not push earlier lines out of the log. */
const WARN_EVERY_MS = 10_000

/**
 * Runs `turn` again and again: at once if it returns `again`, else after `restMs`, or the number of
 * milliseconds that it returns, or a wake. A failed turn is repeated after a second even if it is
 * woken sooner: every writer wakes it, and it may fail for as long as the bus is full. The log says
 * so now and then.
 */
export function startLoop(
  name: string,
  restMs: number,
  log: Logger,
  turn: () => Promise<'again' | 'rest' | number>,
): Worker {
  let closed = false
  let woken = false
  let failed = false
  let rouse = () => {}
  const mayWarn = onceIn(WARN_EVERY_MS)
  const isRoused = () => closed || (woken && !failed)
  const rest = (ms: number) =>
    new Promise<void>((resolve) => {
      if (isRoused()) return resolve()
      const timer = setTimeout(resolve, ms)
      rouse = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const run = async () => {
    while (!closed) {
      woken = false
      failed = false
      try {
        const next = await turn()
        if (next !== 'again') await rest(next === 'rest' ? restMs : next)
      } catch (error) {
        if (closed) return
        if (mayWarn()) log.warn({ err: error, worker: name }, 'worker turn failed')
        failed = true
        await rest(RETRY_MS)
      }
    }
  }
  const running = run()
  return {
    wake: () => {
      woken = true
      if (isRoused()) rouse()
    },
    close: async () => {
      closed = true
      rouse()
      await running
    },
  }
}
