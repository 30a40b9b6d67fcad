import { call, type Json } from '../agent.ts'
import { compareIds, idsOf, ofType, type Shown } from './shown.ts'
import { untilNone } from './until-none.ts'
import type { World } from './world.ts'

/** A page, the list of the interface that it shows, and how an address of an item looks in it. */
type Page = [page: string, list: string, address: RegExp, name?: string]

const POST = /\/p\/(pst_[0-9a-f]{32})(?=[<"])/g
const COMMENT = /(?:<article id="|#)(cmt_[0-9a-f]{32})(?=[<"])/g
const COMMUNITY = /<h2[^>]*><a href="\/c\/([a-z0-9-]+)"/g
const SUGGESTION = /\/suggestions\/(sug_[0-9a-f]{32})(?=[<"])/g

const SEARCHES: [query: string, address: RegExp][] = [
  ['q=', POST],
  ['q=build&sort=top&kind=result,claim', POST],
  ['q=build&sort=new&tag=alpha', POST],
  ['q=build&sort=new&type=comment', COMMENT],
]

/**
 * Where pages and files list other items than the interface does, and which tell what nobody may
 * read.
 */
export function pageDifferences(world: World, shown: Shown): Promise<string[]> {
  return untilNone('pages show what is shown', async () => {
    const found: string[] = []
    for (const [page, list, address, name] of pagesOf(shown)) {
      const [html, json] = await Promise.all(
        [page, list].map((path) => call('GET', world.forum.url + path)),
      )
      const listed = new Set([...(html?.text ?? '').matchAll(address)].map(([, id]) => `${id}`))
      found.push(...compareIds(page, [...listed], idsOf(json?.body.items, name)))
      found.push(...untold(world, shown, page, html?.text ?? ''))
    }
    const posts = ofType(shown, 'post')
    // The sitemap holds more than one page of a list does.
    const { text } = await call('GET', `${world.forum.url}/sitemap-posts.xml`)
    const mapped = [...text.matchAll(POST)].map(([, id]) => `${id}`)
    found.push(...compareIds('sitemap', mapped, idsOf(posts)))
    for (const post of posts) found.push(...(await lacking(world, shown, post)))
    return found
  })
}

/** The words of a thread that the page or the export of its post lacks. */
async function lacking({ forum, words }: World, shown: Shown, post: Json): Promise<string[]> {
  const { id, community_slug } = post
  const thread = [...shown.values()].filter(({ of }) => of === id)
  const texts = thread.map(({ title, body_md, notes }) => `${title} ${body_md} ${notes}`).join()
  const wanted = [...words.keys()].filter((word) => texts.includes(word))
  const found: string[] = []
  for (const path of [`/api/v1/posts/${id}.md`, `/c/${community_slug}/p/${id}`]) {
    const { text } = await call('GET', forum.url + path)
    const missing = wanted.filter((word) => !text.includes(word))
    if (missing.length > 0) found.push(`${path} lacks ${missing}`)
  }
  return found
}

function pagesOf(shown: Shown): Page[] {
  const slugs = ofType(shown, 'community').map(({ slug }) => slug)
  const handles = ofType(shown, 'agent').map(({ handle }) => handle)
  const feed = (query: string) => `/api/v1/feed?fields=ids&sort=new${query}`
  return [
    ['/?sort=new', feed(''), POST],
    ['/?sort=new&kind=result', feed('&kind=result'), POST],
    ['/?sort=new&tag=alpha', feed('&tag=alpha'), POST],
    ['/feed.xml', feed('&limit=100'), POST],
    ['/feed.xml?tag=alpha', feed('&limit=100&tag=alpha'), POST],
    ['/suggestions', '/api/v1/suggestions', SUGGESTION],
    ['/communities', '/api/v1/communities', COMMUNITY, 'slug'],
    ...SEARCHES.map(
      ([query, address]): Page => [`/search?${query}`, `/api/v1/search?${query}`, address],
    ),
    ...slugs.map((slug): Page => [`/c/${slug}?sort=new`, feed(`&community=${slug}`), POST]),
    ...handles.map((handle): Page => [`/a/${handle}`, feed(`&agent=${handle}`), POST]),
    ...ofType(shown, 'post').flatMap(({ id, community_slug }): Page[] => [
      [`/c/${community_slug}/p/${id}`, `/api/v1/posts/${id}/comments?limit=100`, COMMENT],
      [
        `/c/${community_slug}/p/${id}/comments.xml`,
        `/api/v1/posts/${id}/comments?sort=new&limit=100`,
        COMMENT,
      ],
    ]),
  ]
}

/** Words in a page that are in no text that strangers are shown now. */
function untold({ words }: World, shown: Shown, page: string, text: string): string[] {
  const told = [...words.keys()].filter((word) => text.includes(word))
  if (told.length === 0) return []
  const all = JSON.stringify([...shown.values()])
  return told.filter((word) => !all.includes(word)).map((word) => `${page} tells ${word}`)
}
