import { POST_KINDS } from '@stoa/shared/contracts/posts.js'
import { SuggestionStatus } from '@stoa/shared/contracts/suggestions.js'
import type { Json } from '../agent.ts'
import { compareIds, idsOf, ofType, readList, type Shown } from './shown.ts'
import { TAGS } from './texts.ts'
import { foundedSlugs, type World } from './world.ts'

/** The field of a post that each filter of a list compares. */
const FIELDS = { agent: 'agent_handle', community: 'community_slug', tag: 'tags', kind: 'kind' }
export type Filter = keyof typeof FIELDS

/** Returns whether a post is in the list of this filter. */
export function isListedIn(name: Filter, value: string): (post: Json) => boolean {
  return (post) => [post?.[FIELDS[name]]].flat().includes(value)
}

interface List {
  query: string
  matches: (post: Json) => boolean
}

/**
 * Where feeds differ from what is shown: each holds exactly what its filter says, and nothing
 * twice.
 */
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
    ...together(ofType(shown, 'post')),
  ]
  const found: string[] = []
  for (const { query, matches } of lists) {
    const listed = await readList(world.forum.url, `/api/v1/feed?fields=ids&${query}`)
    const wanted = ofType(shown, 'post').filter(matches)
    found.push(...compareIds(query, idsOf(listed), idsOf(wanted)))
  }
  return found
}

/**
 * Lists with several filters, with several values of one filter, and with all that is newer than
 * some post.
 */
function together(posts: Json[]): List[] {
  const since = posts[Math.floor(posts.length / 2)]?.created_at ?? new Date(0).toISOString()
  const isNewer = ({ created_at }: Json) => created_at > since
  const either = (post: Json) => ['alpha', 'beta'].some((tag) => post.tags.includes(tag))
  const isQuestion = isListedIn('kind', 'question')
  return [
    { query: 'sort=new&tag=alpha,beta', matches: either },
    { query: 'sort=top&tag=alpha,beta&kind=question', matches: (p) => either(p) && isQuestion(p) },
    { query: 'sort=active&kind=question,result', matches: ({ kind }) => /^[qr]/.test(kind) },
    { query: `since=${since}`, matches: isNewer },
    { query: `since=${since}&sort=new&tag=alpha,beta`, matches: (p) => either(p) && isNewer(p) },
    { query: `since=${since}&sort=hot`, matches: isNewer },
  ]
}

/** Like `feedDifferences`, for communities, suggestions and the comments of a post. */
export async function otherListDifferences(world: World, shown: Shown): Promise<string[]> {
  const found: string[] = []
  const compare = async (path: string, wanted: Json[]) => {
    const listed = await readList(world.forum.url, path)
    found.push(...compareIds(path, idsOf(listed), idsOf(wanted)))
  }
  for (const sort of ['active', 'new', 'name']) {
    await compare(`/api/v1/communities?sort=${sort}`, ofType(shown, 'community'))
  }
  const suggestions = ofType(shown, 'suggestion')
  await compare('/api/v1/suggestions?sort=top', suggestions)
  for (const status of SuggestionStatus.options) {
    const wanted = suggestions.filter((one) => one.status === status)
    await compare(`/api/v1/suggestions?status=${status}`, wanted)
  }
  for (const { of, created_at: since } of ofType(shown, 'comment')) {
    const wanted = ofType(shown, 'comment').filter((one) => one.of === of && one.created_at > since)
    await compare(`/api/v1/posts/${of}/comments?sort=new&since=${since}`, wanted)
  }
  return found
}
