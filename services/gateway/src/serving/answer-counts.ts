import type { Count } from '@stoa/shared/process/metrics.js'
import { LIMIT_CLASSES, type LimitClass } from '../limits/classes.ts'

/** The class of requests that count against no limit, such as those for some files. */
const OTHER = 'other'
/**
 * Upper bounds in seconds, for an uncached read, a write, and a write that waits for its verdict.
 */
const BOUNDS = [0.005, 0.02, 0.05, 0.1, 0.25, 1, 2.5]
const STATUSES = ['2xx', '3xx', '4xx', '5xx'] as const

interface OfClass {
  kept: number
  /** Answers by status, in the order of STATUSES. */
  byStatus: number[]
  /**
   * Answers by the smallest bound that their time does not exceed; the last entry counts the rest.
   */
  byTime: number[]
  seconds: number
}

/** Counts the answers this gateway gave since its start, and the time of those not in its cache. */
export class AnswerCounts {
  readonly #classes = new Map([...LIMIT_CLASSES, OTHER].map((name) => [name as string, none()]))

  /** Counts an answer from the cache, whose time is negligible. */
  kept(limit: LimitClass): void {
    this.#of(limit).kept += 1
  }

  made(limit: LimitClass | undefined, status: number, seconds: number): void {
    const ofClass = this.#of(limit)
    const { byStatus, byTime } = ofClass
    const first = Math.floor(status / 100) - 2
    byStatus[first] = (byStatus[first] ?? 0) + 1
    const bound = BOUNDS.findIndex((atMost) => seconds <= atMost)
    const nth = bound === -1 ? BOUNDS.length : bound
    byTime[nth] = (byTime[nth] ?? 0) + 1
    ofClass.seconds += seconds
  }

  counts(): Count[] {
    const classes = [...this.#classes]
    return [
      {
        name: 'stoa_kept_answers_total',
        help: 'Answers of this gateway that were at hand in its cache.',
        type: 'counter',
        values: classes.map(([name, { kept }]) => [`{class="${name}"}`, kept]),
      },
      {
        name: 'stoa_answers_total',
        help: 'Answers of this gateway that were not at hand in its cache.',
        type: 'counter',
        values: classes.flatMap(([name, { byStatus }]) =>
          STATUSES.map((status, nth): [string, number] => [
            `{class="${name}",status="${status}"}`,
            byStatus[nth] ?? 0,
          ]),
        ),
      },
      {
        name: 'stoa_answer_seconds',
        help: 'How long answers took that were not at hand in the cache.',
        type: 'histogram',
        values: classes.flatMap(([name, ofClass]) => histogram(name, ofClass)),
      },
    ]
  }

  #of(limit: LimitClass | undefined): OfClass {
    return this.#classes.get(limit ?? OTHER) as OfClass
  }
}

function none(): OfClass {
  return {
    kept: 0,
    byStatus: STATUSES.map(() => 0),
    byTime: [...BOUNDS.map(() => 0), 0],
    seconds: 0,
  }
}

function histogram(name: string, { byTime, seconds }: OfClass): [string, number][] {
  let sum = 0
  const buckets = byTime.map((count, nth): [string, number] => {
    sum += count
    return [`_bucket{class="${name}",le="${BOUNDS[nth] ?? '+Inf'}"}`, sum]
  })
  return [...buckets, [`_sum{class="${name}"}`, seconds], [`_count{class="${name}"}`, sum]]
}
