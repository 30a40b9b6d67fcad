import { AppError } from '@stoa/shared/errors/errors.js'

export interface Line {
  /** Runs work when it is its turn. Works of one `kind` may be slow together. */
  run<T>(work: () => Promise<T>, kind?: string): Promise<T>
  waiting(): number
  /** Whether a work was refused within the last seconds. */
  hasRefused(): boolean
}

const REFUSED_FOR_MS = 10_000

interface Waiting {
  kind: string | undefined
  begin: () => void
}

/**
 * Lets `max` run at once, and of one kind `ofKindMax`, so that a slow kind leaves places to others.
 * Others wait in line, and are refused as `unavailable` after `waitMs`.
 */
export function inLine(max: number, waitMs: number, ofKindMax = max): Line {
  let running = 0
  const ofKind = new Map<string | undefined, number>()
  const line: Waiting[] = []
  let refusedAt = Number.NEGATIVE_INFINITY
  const countOf = (kind: string | undefined) => (kind === undefined ? 0 : (ofKind.get(kind) ?? 0))
  const mayBegin = (kind: string | undefined) => running < max && countOf(kind) < ofKindMax
  const count = (kind: string | undefined, more: 1 | -1) => {
    running += more
    ofKind.set(kind, countOf(kind) + more)
  }
  const turn = (kind: string | undefined) =>
    new Promise<void>((resolve, reject) => {
      const waiting = {
        kind,
        begin: () => {
          clearTimeout(timer)
          count(kind, 1)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        line.splice(line.indexOf(waiting), 1)
        refusedAt = performance.now()
        reject(tooMany())
      }, waitMs)
      line.push(waiting)
    })
  return {
    run: async (work, kind) => {
      if (mayBegin(kind)) count(kind, 1)
      else await turn(kind)
      try {
        return await work()
      } finally {
        count(kind, -1)
        // The first in line that may begin takes this place.
        const next = line.findIndex((waiting) => mayBegin(waiting.kind))
        if (next >= 0) line.splice(next, 1)[0]?.begin()
      }
    },
    waiting: () => line.length,
    hasRefused: () => performance.now() - refusedAt < REFUSED_FOR_MS,
  }
}

function tooMany(): AppError {
  const cause = new Error('as many of its kind as may be are under way')
  return new AppError('unavailable', { retry_after_seconds: 2, reason: 'busy' }, { cause })
}
