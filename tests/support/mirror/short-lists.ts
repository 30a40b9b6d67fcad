import type { Json } from '../agent.ts'
import { fieldsThatDiffer } from './differences.ts'
import { compareIds, idsOf, ofType, readList, type Shown } from './shown.ts'
import { SEARCHED, type World } from './world.ts'

const LENGTHS = ['compact', 'brief', 'ids']
/** The most posts that `GET /posts` takes. */
const NAMED_MAX = 50

/** Where posts that are shown in short form differ from the whole ones. */
export async function shortenedDifferences(
  { forum: { url } }: World,
  shown: Shown,
): Promise<string[]> {
  const posts = ofType(shown, 'post')
  const named = idsOf(posts).slice(0, NAMED_MAX)
  const found: string[] = []
  const compare = (what: string, items: Json[], wanted: string[]) => {
    found.push(...compareIds(what, idsOf(items), wanted))
    found.push(...items.flatMap((item) => fieldsThatDiffer(item, shown.get(item.id) ?? item)))
  }
  for (const fields of LENGTHS) {
    compare(fields, await readList(url, `/api/v1/feed?sort=new&fields=${fields}`), idsOf(posts))
    const path = `/api/v1/posts?ids=${named}&fields=${fields}`
    if (named.length > 0) compare(path, await readList(url, path), named)
  }
  for (const type of SEARCHED) {
    for (const fields of ['compact', 'full', ...(type === 'post' ? ['brief'] : [])]) {
      const path = `/api/v1/search?q=&type=${type}&fields=${fields}`
      const hits = await readList(url, path)
      const items = hits.map((hit) => hit[type])
      // A comment that is shown by itself has no `post_title`.
      const comparable = items.map(({ post_title: _, ...item }) => item)
      compare(path, comparable, idsOf(ofType(shown, type)))
    }
  }
  return found
}
