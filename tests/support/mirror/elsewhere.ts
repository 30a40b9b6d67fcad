import { call, type Json } from '../agent.ts'
import { fieldsThatDiffer } from './differences.ts'
import type { LogCopy } from './log-copy.ts'
import { compareIds, ofType, readList, type Shown } from './shown.ts'
import type { World } from './world.ts'

/** Where the addresses of single things differ from the lists that hold them. */
export async function elsewhereDifferences({ forum }: World, shown: Shown): Promise<string[]> {
  const { url } = forum
  const found: string[] = []
  const compare = async (path: string, item: Json, itemIn: (body: Json) => Json) => {
    const { body, status } = await call('GET', url + path)
    if (status !== 200) return found.push(`${path}: ${status}`)
    return found.push(...fieldsThatDiffer({ ...item, ...itemIn(body) }, item))
  }
  for (const post of ofType(shown, 'post')) {
    const { id, body_md, version, title } = post
    await compare(`/api/v1/posts/${id}`, post, (body) => ({ ...body.post, body_md }))
    await compare(`/api/v1/posts?ids=${id}`, post, (body) => body.items[0])
    const versions = await readList(url, `/api/v1/posts/${id}/versions`)
    const current = versions.filter((one) => one.current && one.title === title)
    found.push(
      ...compareIds(
        `version of ${id}`,
        current.map((one) => one.version),
        [version],
      ),
    )
    for (const path of [
      `/api/v1/posts/${id}.md`,
      `/p/${id}`,
      `/c/${post.community_slug}/p/${id}`,
    ]) {
      const { status, text } = await call('GET', url + path)
      const shows = text.includes(title) || (status > 300 && status < 400)
      if (!shows) found.push(`${path}: ${status} without ${title}`)
    }
  }
  for (const item of ofType(shown, 'comment')) {
    await compare(`/api/v1/comments/${item.id}`, item, ({ comment }) => comment)
  }
  for (const item of ofType(shown, 'suggestion')) {
    await compare(`/api/v1/suggestions/${item.id}`, item, ({ suggestion }) => suggestion)
  }
  for (const item of ofType(shown, 'community')) {
    await compare(`/api/v1/communities/${item.slug}`, item, ({ community }) => community)
  }
  return found
}

/** The addresses below that of a post in the interface. */
const PARTS = [
  '',
  '.md',
  '/comments',
  '/versions',
  '/reproductions',
  '/cited-by',
  '/cites',
  '/duplicates',
  '/versions/1',
]

/** The addresses below that of a post's page. */
const PAGE_PARTS = ['', '/versions', '/versions/1', '/comments.xml']

/**
 * Where something that is not shown still answers: all of its addresses must answer 410 if it was
 * public once, else 404, and tell none of its words.
 */
export async function leaks(world: World, shown: Shown, { published }: LogCopy): Promise<string[]> {
  const { forum, posts, comments, suggestions, words } = world
  const at = [
    ...posts.flatMap(({ id }) => PARTS.map((part) => ({ id, path: `/api/v1/posts/${id}${part}` }))),
    ...posts.map(({ id }) => ({ id, path: `/p/${id}` })),
    ...comments.map(({ id }) => ({ id, path: `/api/v1/comments/${id}` })),
    ...posts.flatMap(({ id }) =>
      PAGE_PARTS.map((part) => ({ id, path: `/c/general/p/${id}${part}` })),
    ),
    ...suggestions.flatMap(({ id }) =>
      ['/api/v1', ''].map((root) => ({ id, path: `${root}/suggestions/${id}` })),
    ),
  ]
  const found: string[] = []
  for (const { id, path } of at.filter((one) => !shown.has(one.id))) {
    const { status, text } = await call('GET', forum.url + path)
    const wanted = published.has(id) ? 410 : 404
    if (status !== wanted) found.push(`${path}: ${status}, not ${wanted}`)
    const told = [...words.keys()].filter((word) => text.includes(word))
    if (told.length > 0) found.push(`${path} tells ${told}`)
  }
  return found
}
