import { availableParallelism } from 'node:os'
import { AppError } from '@stoa/shared/errors/errors.js'
import { withDeadline } from '@stoa/shared/process/with-deadline.js'
import type { Meilisearch, MultiSearchQuery, SearchResponse } from 'meilisearch'
import { call, refusalOf } from '../meilisearch/meili.ts'

/**
 * Answers the queries of one caller, in their order. Throws `unavailable`, also as soon as `signal`
 * is aborted, and the refusals of Meilisearch.
 */
export type SearchAll = (
  queries: MultiSearchQuery[],
  signal: AbortSignal,
) => Promise<SearchResponse[]>

/** Milliseconds; no caller waits this long. */
const DEADLINE_MS = 1_000
/** Each request keeps a processor of Meilisearch busy, which mostly runs on this computer. */
const AT_ONCE = Math.max(2, availableParallelism())
/** The most callers whose queries go together: the first of them is answered with the last. */
const ASKERS_MAX = 16

interface Asker {
  queries: MultiSearchQuery[]
  signal: AbortSignal
  resolve: (answers: SearchResponse[]) => void
  reject: (error: unknown) => void
}

/**
 * Sends Meilisearch no more requests at once than it has processors for. Searches that come in the
 * meantime wait and go together as one request: each by itself would cost a turn of every process
 * on its way.
 */
export function searchTogether(
  client: Pick<Meilisearch, 'multiSearch'>,
  atOnce = AT_ONCE,
): SearchAll {
  let waiting: Asker[] = []
  let underWay = 0
  let isPlanned = false
  const send = () => {
    waiting = waiting.filter(({ signal }) => !signal.aborted)
    while (underWay < atOnce && waiting.length > 0) {
      const share = Math.ceil(waiting.length / (atOnce - underWay))
      underWay++
      void answerAll(client, waiting.splice(0, Math.min(share, ASKERS_MAX))).then(() => {
        underWay--
        send()
      })
    }
  }
  // Searches that come in one packet are divided among the requests that may still be sent.
  const plan = () => {
    if (isPlanned || underWay >= atOnce) return
    isPlanned = true
    setImmediate(() => {
      isPlanned = false
      send()
    })
  }
  return (queries, signal) =>
    new Promise((resolve, reject) => {
      const giveUp = () =>
        reject(new AppError('unavailable', { retry_after_seconds: 2 }, { cause: signal.reason }))
      if (signal.aborted) return giveUp()
      signal.addEventListener('abort', giveUp, { once: true })
      waiting.push({ queries, signal, resolve, reject })
      plan()
    })
}

/**
 * Never rejects. One request fails as a whole, so after a refusal each caller's queries go alone.
 */
async function answerAll(client: Pick<Meilisearch, 'multiSearch'>, askers: Asker[]): Promise<void> {
  const queries = askers.flatMap((asker) => asker.queries)
  try {
    const { results } = await withDeadline(DEADLINE_MS, (signal) =>
      call(client.multiSearch({ queries }, { signal })),
    )
    let from = 0
    for (const asker of askers) {
      asker.resolve(results.slice(from, from + asker.queries.length))
      from += asker.queries.length
    }
  } catch (error) {
    if (askers.length > 1 && refusalOf(error)) {
      for (const asker of askers) await answerAll(client, [asker])
      return
    }
    for (const { reject } of askers) reject(error)
  }
}
