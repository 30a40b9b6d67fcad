import type { Json } from '../agent.ts'
import { compareIds, idsOf, ofType, readList, type Shown } from './shown.ts'
import { KINDS, TAGS } from './texts.ts'
import { untilNone } from './until-none.ts'
import type { World } from './world.ts'

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
  const by = (name: Filter, values: string[], sort = 'new'): List[] =>
    values.map((value) => ({
      query: `sort=${sort}&${name}=${value}`,
      matches: isListedIn(name, value),
    }))
  const lists: List[] = [
    ...all,
    ...by('kind', KINDS),
    ...by('tag', TAGS),
    ...by('tag', TAGS, 'active'),
    ...by('community', world.slugs),
    ...by('community', world.slugs, 'active'),
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

/** In what the hot orders, of all and of each community, differ from what PostgreSQL says. */
export async function hotDifferences({ forum, slugs }: World): Promise<string[]> {
  const { rows } = await forum.db.query<{ id: string; slug: string }>(
    `SELECT p.id, p.community_slug AS slug FROM posts p JOIN post_stats s ON s.post_id = p.id
     WHERE p.visibility = 'public' ORDER BY s.hot_score DESC, p.id DESC`,
  )
  return untilNone('the hot order is that of PostgreSQL', async () => {
    const found: string[] = []
    for (const slug of [undefined, ...slugs]) {
      const query = `sort=hot&fields=ids${slug ? `&community=${slug}` : ''}`
      const listed = idsOf(await readList(forum.url, `/api/v1/feed?${query}`))
      const wanted = idsOf(rows.filter((row) => !slug || row.slug === slug))
      if (listed.join() !== wanted.join()) found.push(`${query}: ${listed}, not ${wanted}`)
    }
    return found
  })
}
