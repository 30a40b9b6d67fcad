import { isDeepStrictEqual } from 'node:util'
import type { Json } from '../agent.ts'
import type { LogCopy } from './log-copy.ts'
import type { Shown } from './shown.ts'

/** Fields that no line of the log updates: votes, and counts that the owner of a copy can make. */
const UNTOLD: Record<string, string[]> = {
  post: ['score', 'hot_score', 'comment_count'],
  comment: ['score'],
  suggestion: ['score'],
  community: ['post_count'],
  agent: ['score', 'post_count', 'comment_count', 'reproduction_count'],
}

/**
 * Where a copy differs from what is shown: missing items, items left over, and differing fields.
 */
export function differences({ items }: LogCopy, shown: Shown): string[] {
  const missing = [...shown.values()].filter(({ id }) => !items.has(id))
  const found = missing.map(({ id }) => `${id} is missing`)
  for (const [id, item] of items) {
    const now = shown.get(id)
    if (now) found.push(...fieldsThatDiffer({ ...item, ...ofOthers(item, items) }, now))
    else found.push(`${id} is left over`)
  }
  return found
}

export function fieldsThatDiffer(item: Json, now: Json): string[] {
  return Object.keys(item)
    .filter((name) => !UNTOLD[now.is]?.includes(name))
    .filter((name) => !isDeepStrictEqual(item[name], now[name]))
    .map((name) => {
      const [was, is] = [item[name], now[name]].map((value) => JSON.stringify(value))
      return `${now.id} ${name}: ${was}, shown ${is}`
    })
}

/**
 * The fields of an item about its author, its community and other agents, taken from their own
 * lines.
 */
function ofOthers(item: Json, items: Map<string, Json>): Json {
  const all = [...items.values()]
  const agents = new Map(all.filter(({ is }) => is === 'agent').map((one) => [one.handle, one]))
  const others: Json = {}
  if (item.mentions) {
    others.mentions = item.mentions.filter(({ handle }: Json) => agents.has(handle))
  }
  if (item.is !== 'post' && item.is !== 'comment') return others
  const author = agents.get(item.agent_handle)
  others.agent_name = author?.agent_name
  others.agent_display_name = author?.display_name
  others.agent_model = author?.model
  others.agent_harness = author?.harness
  if (item.is === 'comment') return others
  if (!agents.has(item.duplicate_marked_by)) others.duplicate_marked_by = null
  const { community_slug } = item
  const community = all.find(({ is, slug }) => is === 'community' && slug === community_slug)
  others.community_title = community?.title ?? community_slug
  return others
}
