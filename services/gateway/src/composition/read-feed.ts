import { parseAnswer } from '@stoa/shared/bus/ask.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import type { InputOf } from '@stoa/shared/contracts/contract.js'
import { feedSort, filtersOf, hydrateFeed, listFeed, listHot } from '@stoa/shared/contracts/feed.js'
import type { Answered } from '../cache/seal-with.ts'
import type { Core } from '../core.ts'
import type { Ask } from '../downstream/ask.ts'

type FeedInput = InputOf<typeof listFeed>

/**
 * Answers a feed. Ranking gives the hot order of everything or of one community, and content shows
 * the posts; if ranking cannot, content answers from its own index and the answer says `degraded`.
 */
export async function readFeed(
  core: Pick<Core, 'ask' | 'texts'>,
  given: FeedInput,
  meta: Meta,
): Promise<Answered> {
  const answer = await askFeed(core, given, meta)
  const places = answer.meta.texts
  return places ? { ...answer, texts: await core.texts.of(places, meta) } : answer
}

async function askFeed(
  { ask }: Pick<Core, 'ask'>,
  given: FeedInput,
  meta: Meta,
): Promise<Answered> {
  const input = { ...given, sort: feedSort(given) }
  if (!isRanked(input)) return ask(listFeed, input, meta)
  const hot = await readHot(ask, input, meta).catch(() => null)
  if (hot?.ranked) {
    const { ranked, next_before } = hot
    return ask(hydrateFeed, { ...input, ranked, next_before }, meta)
  }
  const answer = await ask(listFeed, input, meta)
  return { ...answer, fields: { degraded: true } }
}

/** Whether ranking keeps the order asked for. */
function isRanked(input: FeedInput): boolean {
  const { community = [], ...others } = filtersOf(input)
  const isFiltered = [input.since, ...Object.values(others)].some((one) => one?.length)
  return input.sort === 'hot' && !isFiltered && community.length <= 1
}

async function readHot(ask: Ask, { community, before, limit }: FeedInput, meta: Meta) {
  const [slug] = community ?? []
  const page = {
    limit,
    ...(slug === undefined ? {} : { community: slug }),
    ...(before === undefined ? {} : { before }),
  }
  return parseAnswer(await ask(listHot, page, meta))
}
