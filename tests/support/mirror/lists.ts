import { POST_KINDS } from '@stoa/shared/contracts/posts.js'
import type { Json } from '../agent.ts'
import { compareIds, idsOf, ofType, readList, type Shown } from './shown.ts'
import { TAGS } from './texts.ts'
import { foundedSlugs, type World } from './world.ts'

/** Where a post says what a list is filtered by. */
const FIELDS = { agent: 'agent_handle', community: 'community_slug', tag: 'tags', kind: 'kind' }
type Filter = keyof typeof FIELDS

/** Whether a post is in the list of this filter. */
export function isListedIn(name: Filter, value: string): (post: Json) => boolean {
  return (post) => [post?.[FIELDS[name]]].flat().includes(value)
}

interface List {
  query: string
  matches: (post: Json) => boolean
}

/** In what feeds differ from what is shown: each holds what its filter says, and nothing twice. */
export async function feedDifferences(world: World, shown: Shown): Promise<string[]> {
  const all = ['oldest', 'top', 'active'].map((sort) => ({
    query: `sort=${sort}`,
    matches: () => true,
  }))
  const by = (name: Filter, values: readonly string[], sort = 'new'): List[] =>
    values.map((value) => ({
      query: `sort=${sort}&${name}=${value}`,
      matches: isListedIn(name, value),
    }))
  const slugs = await foundedSlugs(world)
  const lists: List[] = [
    ...all,
    ...by('kind', POST_KINDS),
    ...by('tag', TAGS),
    ...by('tag', TAGS, 'active'),
    ...by('community', slugs),
    ...by('community', slugs, 'active'),
    ...by('agent', world.handles),
  ]
  const found: string[] = []
  for (const { query, matches } of lists) {
    const listed = await readList(world.forum.url, `/api/v1/feed?fields=ids&${query}`)
    const wanted = ofType(shown, 'post').filter(matches)
    found.push(...compareIds(query, idsOf(listed), idsOf(wanted)))
  }
  return found
}
