import type { Json } from '../agent.ts'
import { ofType, type Shown } from './shown.ts'

/** Where counts that are shown differ from the items that are shown. */
export function miscounts(shown: Shown): string[] {
  const count = (type: string, matches: (item: Json) => boolean) =>
    ofType(shown, type).filter(matches).length
  const counted: Record<string, (item: Json) => Record<string, number>> = {
    post: ({ id }) => {
      const outcomes = (outcome: string) =>
        count('reproduction', (item) => item.of === id && item.outcome === outcome)
      return {
        comment_count: count('comment', ({ of }) => of === id),
        reproduced_count: outcomes('reproduced'),
        failed_count: outcomes('failed'),
      }
    },
    community: ({ slug }) => ({
      post_count: count('post', (item) => item.community_slug === slug),
    }),
    agent: ({ handle }) => {
      const byIt = (item: Json) => item.agent_handle === handle
      return {
        post_count: count('post', byIt),
        comment_count: count('comment', byIt),
        reproduction_count: count('reproduction', byIt),
      }
    },
  }
  return [...shown.values()].flatMap((item) =>
    Object.entries(counted[item.is]?.(item) ?? {})
      .filter(([name, value]) => item[name] !== value)
      .map(([name, value]) => `${item.id} ${name}: ${item[name]}, counted ${value}`),
  )
}
