import { POST_KINDS } from '@stoa/shared/contracts/posts.js'
import { SEARCH_FILTERS } from '@stoa/shared/contracts/search.js'
import { call, type Json } from '../agent.ts'
import { MEILI } from '../meilisearch.ts'
import { type Filter, isListedIn } from './lists.ts'
import { facetDifferences, newerSearchDifferences, searchOrderDifferences } from './search-lists.ts'
import { shortenedDifferences } from './short-lists.ts'
import { compareIds, idsOf, ofType, readList, type Shown } from './shown.ts'
import { TAGS } from './texts.ts'
import { untilNone } from './until-none.ts'
import { foundedSlugs, SEARCHED, type Searched, type World } from './world.ts'

const TOGETHER = 6
const ENGINE = MEILI.url ? 'meilisearch' : 'postgres'

/**
 * Where the search differs from what is shown, once the index, if there is one, has caught up: a
 * word finds exactly the texts that have it now.
 */
export async function searchDifferences(world: World, shown: Shown): Promise<string[]> {
  let unlike = [...world.words]
  const words = await untilNone('each word finds its text', async () => {
    const found = await Promise.all(
      Array.from({ length: TOGETHER }, (_, part) =>
        differingWords(
          world,
          shown,
          unlike.filter((__, n) => n % TOGETHER === part),
        ),
      ),
    )
    unlike = found.flatMap((part) => part.left)
    return found.flatMap((part) => part.differing)
  })
  const lists = await untilNone('a search without words lists everything', async () => {
    const found: string[] = []
    for (const type of SEARCHED) {
      const listed = await readList(world.forum.url, `/api/v1/search?q=&type=${type}`)
      found.push(...compareIds(`each ${type}`, idsOf(listed), idsOf(ofType(shown, type))))
    }
    return found
  })
  const filtered = await untilNone('a filtered search lists what its filter says', async () => {
    const found: string[] = []
    for (const { type, name, value } of await searchFilters(world)) {
      const listed = await readList(
        world.forum.url,
        `/api/v1/search?q=&type=${type}&${name}=${value}`,
      )
      const wanted = ofType(shown, type).filter((item) => {
        const { community_slug } = shown.get(item.of) ?? {}
        return isListedIn(name, value)({ ...item, community_slug })
      })
      found.push(...compareIds(`${type} ${name}=${value}`, idsOf(listed), idsOf(wanted)))
    }
    return found
  })
  const ordered = await untilNone('a search is in its order', async () => [
    ...(await newerSearchDifferences(world, shown)),
    ...(await searchOrderDifferences(world, shown)),
    ...(await facetDifferences(world, shown)),
  ])
  // The index has caught up by now.
  return [
    ...words,
    ...lists,
    ...filtered,
    ...ordered,
    ...(await shortenedDifferences(world, shown)),
  ]
}

async function searchFilters(world: World) {
  const values: Record<Filter, readonly string[]> = {
    kind: POST_KINDS,
    community: await foundedSlugs(world),
    tag: TAGS,
    agent: world.handles,
  }
  return (Object.keys(values) as Filter[]).flatMap((name) =>
    SEARCH_FILTERS[name].flatMap((type) => values[name].map((value) => ({ type, name, value }))),
  )
}

async function differingWords({ forum }: World, shown: Shown, words: [string, Searched][]) {
  const left: typeof words = []
  const differing: string[] = []
  for (const [word, type] of words) {
    const { body } = await call('GET', `${forum.url}/api/v1/search?q=${word}&type=${type}`)
    const wanted = ofType(shown, type).filter((item) => textOf(item).includes(word))
    const unlike = compareIds(`${type} ${word}`, idsOf(body.items), idsOf(wanted))
    if (body.engine !== ENGINE) unlike.push(`${word} was looked for by ${body.engine}`)
    if (unlike.length === 0) continue
    left.push([word, type])
    differing.push(...unlike)
  }
  return { left, differing }
}

function textOf({ is, title, body_md, description, agent_name, bio }: Json): string {
  return is === 'agent' ? `${agent_name} ${bio}` : `${title} ${body_md} ${description}`
}
