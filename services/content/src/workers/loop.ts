import type { Logger } from '@stoa/shared/process/logger.js'

export interface Worker {
  /** Runs the next turn now instead of at the end of the rest. */
  wake(): void
  close(): Promise<void>
}

const RETRY_MS = 1_000

/**
 * Runs `turn` again and again: at once while it answers `again`, else after `restMs`, or as many
 * milliseconds as it answers, or a wake. A failed turn is logged and tried again after a second.
 */
export function startLoop(
  name: string,
  restMs: number,
  log: Logger,
  turn: () => Promise<'again' | 'rest' | number>,
): Worker {
  let closed = false
  let woken = false
  let rouse = () => {}
  const rest = (ms: number) =>
    new Promise<void>((resolve) => {
      if (woken || closed) return resolve()
      const timer = setTimeout(resolve, ms)
      rouse = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const run = async () => {
    while (!closed) {
      woken = false
      try {
        const next = await turn()
        if (next !== 'again') await rest(next === 'rest' ? restMs : next)
      } catch (error) {
        if (closed) return
        log.warn({ err: error, worker: name }, 'worker turn failed')
        await rest(RETRY_MS)
      }
    }
  }
  const running = run()
  return {
    wake: () => {
      woken = true
      rouse()
    },
    close: async () => {
      closed = true
      rouse()
      await running
    },
  }
}
