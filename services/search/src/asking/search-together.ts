import { availableParallelism } from 'node:os'
import { AppError } from '@stoa/shared/errors/errors.js'
import { withDeadline } from '@stoa/shared/process/with-deadline.js'
import type { Meilisearch, MultiSearchQuery, SearchResponse } from 'meilisearch'
import { call, refusalOf } from '../meilisearch/meili.ts'

/**
 * Answers the queries of one asker, in their order. Throws `unavailable`, as soon as `signal` says so too,
 * and what Meilisearch refused.
 */
export type SearchAll = (
  queries: MultiSearchQuery[],
  signal: AbortSignal,
) => Promise<SearchResponse[]>

/** Milliseconds; nobody waits for as long as that. */
const DEADLINE_MS = 1_000
/** Each keeps a processor of Meilisearch busy, which mostly has those of this computer. */
const AT_ONCE = Math.max(2, availableParallelism())
/** So many askers' queries go together: the first of them is answered with the last. */
const ASKERS_MAX = 16

interface Asker {
  queries: MultiSearchQuery[]
  signal: AbortSignal
  resolve: (answers: SearchResponse[]) => void
  reject: (error: unknown) => void
}

/**
 * Asks Meilisearch for no more at once than it has processors for. Searches that come meanwhile wait, and
 * go together as one request: of many, each by itself would cost a turn of every process on its way.
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
  // What comes in one packet is divided among those that have nothing to do.
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

/** Never rejects. One request fails as a whole, so what was refused is asked by itself. */
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
