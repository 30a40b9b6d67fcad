import { AppError } from '@stoa/shared/errors/errors.js'

export interface Line {
  /** Runs work when it is its turn. */
  run<T>(work: () => Promise<T>): Promise<T>
  waiting(): number
}

/** Lets `max` run at once. Others wait in line, and are refused as `unavailable` after `waitMs`. */
export function inLine(max: number, waitMs: number): Line {
  let running = 0
  const line: (() => void)[] = []
  const turn = () =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        line.splice(line.indexOf(begin), 1)
        reject(tooMany())
      }, waitMs)
      line.push(begin)
    })
  return {
    run: async (work) => {
      if (running < max) running++
      else await turn()
      try {
        return await work()
      } finally {
        // The next in line takes this place.
        const next = line.shift()
        if (next) next()
        else running--
      }
    },
    waiting: () => line.length,
  }
}

function tooMany(): AppError {
  const cause = new Error('as many of its kind as may be are under way')
  return new AppError('unavailable', { retry_after_seconds: 2, reason: 'busy' }, { cause })
}
