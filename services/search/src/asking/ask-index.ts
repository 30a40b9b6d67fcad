import { SEARCH_DEPTH_MAX } from '@stoa/shared/contracts/search.js'
import { AppError, isAppError } from '@stoa/shared/errors/errors.js'
import { BREAKER, logTurns } from '@stoa/shared/process/breaker.js'
import type { Logger } from '@stoa/shared/process/logger.js'
import { withDeadline } from '@stoa/shared/process/with-deadline.js'
import { tellsNothing } from '@stoa/shared/texts/search-words.js'
import type { SearchParams, SearchResponse } from 'meilisearch'
import CircuitBreaker from 'opossum'
import type { ForumIndex } from '../indexing/forum-index.ts'
import { refusalOf } from '../meilisearch/meili.ts'
import { type Found, foundBy, mergeFound } from './found.ts'
import { meiliQuery, mergeableQuery, type SearchInput } from './meili-query.ts'
import { type SearchAll, searchTogether } from './search-together.ts'
import { findSomeWords, wantsSomeWords } from './some-words.ts'

/** Throws `unavailable`. */
export type AskIndex = (input: SearchInput, offset: number, limit: number) => Promise<Found>

const DEADLINE_MS = 1_000
/** Low, because a search that hangs takes a second, and searches may come one at a time. */
const VOLUME_MIN = 3

/**
 * Asks the live index behind a circuit breaker, so that a Meilisearch that is away or hangs costs a
 * caller no time. Calls `onMissing` when the index turns out not to have been built. At most
 * `atOnce` requests are under way, by default as many as there are processors.
 */
export function createAskIndex(
  index: ForumIndex,
  log: Logger,
  onMissing: () => void,
  atOnce?: number,
) {
  const searched = { index, searchAll: searchTogether(index.client, atOnce) }
  const breaker = new CircuitBreaker<Parameters<AskIndex>, Found>(
    (...question) => ask(searched, ...question),
    {
      ...BREAKER,
      name: 'meilisearch',
      volumeThreshold: VOLUME_MIN,
      errorFilter: (error: unknown) => error instanceof NotBuilt,
    },
  )
  logTurns(breaker, log, {
    open: 'searches of Meilisearch are suspended',
    closed: 'searches of Meilisearch are resumed',
  })
  const askIndex: AskIndex = async (...question) => {
    try {
      return await breaker.fire(...question)
    } catch (error) {
      if (error instanceof NotBuilt) onMissing()
      else if (!isAppError(error) && !CircuitBreaker.isOurError(error as Error)) {
        log.error({ err: error }, 'Meilisearch refused a search')
      }
      throw new AppError('unavailable', { retry_after_seconds: 2 }, { cause: error })
    }
  }
  return { askIndex, breaker, close: () => breaker.shutdown() }
}

class NotBuilt extends Error {}

/** Our filters and facets are always valid: an index that refuses them has no settings yet. */
const NOT_BUILT = ['index_not_found', 'invalid_search_filter', 'invalid_search_facets']

interface Searched {
  index: ForumIndex
  searchAll: SearchAll
}

async function ask(searched: Searched, ...[input, offset, limit]: Parameters<AskIndex>) {
  const found = await withDeadline(DEADLINE_MS, (signal) =>
    find(searched, input, offset, limit, signal),
  ).catch((error: unknown) => {
    if (NOT_BUILT.includes(refusalOf(error)?.code ?? '')) throw new NotBuilt()
    throw error
  })
  // An index that was emptied answers like a forum in which nothing was found.
  if (found.hits.length === 0 && !(await searched.index.isBuilt())) throw new NotBuilt()
  return found
}

type Question = [...Parameters<AskIndex>, signal: AbortSignal]

async function find(searched: Searched, ...[input, offset, limit, signal]: Question) {
  const asked = searched.index.usesRecent ? askBoth : askLive
  const found = await asked(searched, input, offset, limit, signal)
  // Bodies are full of stop words, and indexed without them.
  if (found.estimatedTotal === 0 && tellsNothing(input.q)) {
    return asked(searched, { ...input, q: '' }, offset, limit, signal)
  }
  if (!wantsSomeWords(input, found.estimatedTotal)) return found
  const some = await findSomeWords((queries) => askAll(searched, queries, signal), input)
  return { ...some, hits: some.hits.slice(offset, offset + limit) }
}

async function askLive(
  { index, searchAll }: Searched,
  ...[input, offset, limit, signal]: Question
): Promise<Found> {
  const query = { ...meiliQuery(input, offset, limit), indexUid: index.live }
  const [found] = await searchAll([query], signal)
  return foundBy(found as SearchResponse)
}

/** A page begins where both indexes together reach, so each is asked for all hits before it too. */
async function askBoth(searched: Searched, ...[input, offset, limit, signal]: Question) {
  const end = offset + limit
  const ask = async (count: number) => {
    const [found] = await askAll(searched, [mergeableQuery(input, count)], signal)
    return found as Found
  }
  let found = await ask(end)
  // The place of a hit that an edit has outdated belongs to one beyond those that were asked for.
  if (found.outdated && end < SEARCH_DEPTH_MAX) found = await ask(2 * end)
  return { ...found, hits: found.hits.slice(offset, end) }
}

/** Asks every index that is searched each of these questions, in one request. */
async function askAll(
  { index: { searched }, searchAll }: Searched,
  questions: SearchParams[],
  signal: AbortSignal,
): Promise<Found[]> {
  const queries = questions.flatMap((one) => searched.map((indexUid) => ({ ...one, indexUid })))
  const results = await searchAll(queries, signal)
  return questions.map(({ sort }, i) => {
    const from = i * searched.length
    return mergeFound(results.slice(from, from + searched.length).map(foundBy), sort)
  })
}
