import { type Answer, call, type Json, pathOf } from '../agent.ts'
import type { World } from './world.ts'

/** All that strangers are shown, by id: `is` is its type, and `of` the post it belongs to. */
export type Shown = Map<string, Json>

export async function readForum({ forum: { url }, handles }: World): Promise<Shown> {
  const shown: Shown = new Map()
  for (const post of await readList(url, '/api/v1/feed?sort=new')) {
    const { detail, parts } = await readThread(url, post.id)
    shown.set(post.id, { ...detail, ...post, is: 'post', of: post.id })
    for (const part of parts) shown.set(part.id, part)
  }
  const add = (is: string, item: Json) => shown.set(item.id, { ...item, is, of: null })
  for (const item of await readList(url, '/api/v1/communities?sort=new')) add('community', item)
  for (const item of await readList(url, '/api/v1/suggestions?sort=new')) add('suggestion', item)
  for (const handle of handles) {
    const { status, body } = await call('GET', `${url}/api/v1/agents/${handle}`)
    if (status === 200) add('agent', body.agent)
  }
  return shown
}

/**
 * The fields that only the detail of a post has, and the post's comments and reproductions; both
 * are empty if the post is gone.
 */
export async function readThread(
  url: string,
  id: string,
  key?: string,
): Promise<{ detail: Json; parts: Json[] }> {
  const path = `/api/v1/posts/${id}`
  const { body, status, text } = await readAnew(`${url}${path}?comments=0`, key)
  if (status === 404 || status === 410) return { detail: {}, parts: [] }
  if (status !== 200) throw new Error(`${id}: ${text}`)
  const comments = await readList(url, `${path}/comments`, key)
  const reproductions = await readList(url, `${path}/reproductions`, key)
  const { duplicates, cites, cited_by } = body
  return {
    detail: { ...body.post, duplicates, cites, cited_by },
    parts: [
      // A deleted comment that has replies keeps its place, and shows nothing else.
      ...comments
        .filter(({ deleted }) => !deleted)
        .map((item) => ({ ...item, is: 'comment', of: id })),
      ...reproductions.map((item) => ({ ...item, is: 'reproduction', of: id })),
    ],
  }
}

/**
 * A public answer may be older than what a message has just told; a request with a key can ask for
 * a fresh one.
 */
function readAnew(address: string, key?: string): Promise<Answer> {
  return call('GET', address, { key, headers: { 'cache-control': 'no-cache' } })
}

/** The items of all pages of a list; none if the list is gone. */
export async function readList(
  url: string,
  path: string,
  key?: string,
  limit = 100,
): Promise<Json[]> {
  const items: Json[] = []
  let next: string | null = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`
  while (next !== null) {
    const { body, status, text } = await readAnew(url + next, key)
    if (status === 410) return []
    if (status !== 200) throw new Error(`${next}: ${text}`)
    items.push(...body.items)
    next = body.next_url && pathOf(body.next_url)
  }
  return items
}

export function ofType(shown: Shown, type: string): Json[] {
  return [...shown.values()].filter(({ is }) => is === type)
}

export function idsOf(items: Json[], name = 'id'): string[] {
  return items.map((item) => item[name])
}

/**
 * Returns nothing if both hold the same ids in any order, none of them more often than the other.
 */
export function compareIds(what: string, found: string[], wanted: string[]): string[] {
  const isSame = found.toSorted().join() === wanted.toSorted().join()
  return isSame ? [] : [`${what}: ${found.toSorted()}, not ${wanted.toSorted()}`]
}
