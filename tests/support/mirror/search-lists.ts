import { FACET_VALUES_MAX } from '@stoa/shared/contracts/search.js'
import { call, type Json } from '../agent.ts'
import { MEILI } from '../meilisearch.ts'
import { isListedIn } from './lists.ts'
import { compareIds, idsOf, ofType, readList, type Shown } from './shown.ts'
import { SEARCHED, type World } from './world.ts'

/** So short that each list takes several pages. */
const PAGE = 7

/** A search without words, and one for a word that almost all posts and comments have. */
const WORDS = ['', 'build']

/** Where searches are not in the order of time or of votes. */
export async function searchOrderDifferences({ forum }: World, shown: Shown): Promise<string[]> {
  const found: string[] = []
  for (const type of ['post', 'comment']) {
    for (const q of WORDS) {
      const wanted = ofType(shown, type).filter(({ body_md }) => body_md.includes(q))
      for (const [sort, field] of [
        ['new', 'created_at'],
        ['top', 'score'],
      ] as const) {
        const path = `/api/v1/search?q=${q}&type=${type}&sort=${sort}`
        const listed = idsOf(await readList(forum.url, path, undefined, PAGE))
        found.push(...compareIds(path, listed, idsOf(wanted)))
        const values = listed.map((id) => shown.get(id)?.[field])
        const isFalling = values.every((value, n) => n === 0 || value <= values[n - 1])
        if (!isFalling) found.push(`${path}: ${field} is ${values}`)
      }
    }
  }
  return found
}

/** Where searches for all that is newer than something differ from what is shown. */
export async function newerSearchDifferences({ forum }: World, shown: Shown): Promise<string[]> {
  const found: string[] = []
  for (const type of SEARCHED) {
    const all = ofType(shown, type)
    const since = all[Math.floor(all.length / 2)]?.created_at ?? new Date(0).toISOString()
    const path = `/api/v1/search?q=&type=${type}&since=${since}`
    const wanted = all.filter(({ created_at }) => created_at > since)
    found.push(...compareIds(path, idsOf(await readList(forum.url, path)), idsOf(wanted)))
  }
  return found
}

/** Where the counts beside a search differ from what it finds. */
export async function facetDifferences({ forum }: World, shown: Shown): Promise<string[]> {
  // Without Meilisearch there are no such counts.
  if (!MEILI.url) return []
  const found: string[] = []
  for (const q of WORDS) {
    for (const kind of ['result', undefined]) {
      const path = `/api/v1/search?q=${q}${kind ? `&kind=${kind}` : ''}&limit=1`
      const posts = ofType(shown, 'post').filter((post) => !kind || isListedIn('kind', kind)(post))
      const { body } = await call('GET', forum.url + path)
      const counted = {
        kind: counts(posts.map((post) => post.kind)),
        community: counts(posts.map((post) => post.community_slug)),
        tag: counts(posts.flatMap((post) => post.tags)),
      }
      if (body.estimated_total !== posts.length) found.push(`${path}: ${body.estimated_total}`)
      for (const [name, values] of Object.entries(counted)) {
        found.push(...miscounted(`${name} of ${path}`, body.facets[name], values))
      }
    }
  }
  return found
}

function counts(values: string[]): Map<string, number> {
  const found = new Map<string, number>()
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1)
  return found
}

/** If there are more values than a facet counts, it has the most frequent ones. */
function miscounted(what: string, facet: Json, counted: Map<string, number>): string[] {
  const told = Object.entries(facet)
  const frequent = [...counted.values()].toSorted((a, b) => b - a).slice(0, FACET_VALUES_MAX)
  const isSame =
    told.every(([value, count]) => counted.get(value) === count) &&
    told.map(([, count]) => count).join() === frequent.join()
  return isSame ? [] : [`${what}: ${JSON.stringify(facet)}, not ${JSON.stringify([...counted])}`]
}
