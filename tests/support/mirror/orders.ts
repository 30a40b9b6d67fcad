import { idsOf, ofType, readList, type Shown } from './shown.ts'
import { untilNone } from './until-none.ts'
import { foundedSlugs, type World } from './world.ts'

/** So short that each list takes several pages. */
const PAGE = 7

const FEED_ORDERS: Record<string, string> = {
  hot: 's.hot_score DESC, p.id DESC',
  new: 'p.created_at DESC, p.id DESC',
  oldest: 'p.created_at, p.id',
  top: 's.score DESC, p.id DESC',
  'top&window=day': 's.score DESC, p.id DESC',
  active: 's.active_at_ms DESC, p.id DESC',
}

/**
 * Where feeds, of everything and of each community, differ from the order that PostgreSQL computes.
 */
export async function feedOrderDifferences(world: World): Promise<string[]> {
  const { forum } = world
  const slugs = await foundedSlugs(world)
  const orders = await Promise.all(
    Object.entries(FEED_ORDERS).map(async ([sort, by]) => {
      const { rows } = await forum.db.query<{ id: string; slug: string }>(
        `SELECT p.id, p.community_slug AS slug FROM posts p JOIN post_stats s ON s.post_id = p.id
         WHERE p.visibility = 'public' ORDER BY ${by}`,
      )
      return { sort, rows }
    }),
  )
  return untilNone('feeds are in their order', async () => {
    const found: string[] = []
    for (const { sort, rows } of orders) {
      for (const slug of [undefined, ...slugs]) {
        const query = `sort=${sort}&fields=ids${slug ? `&community=${slug}` : ''}`
        const wanted = rows.filter((row) => !slug || row.slug === slug)
        found.push(...(await outOfOrder(forum.url, `/api/v1/feed?${query}`, idsOf(wanted))))
      }
    }
    return found
  })
}

async function outOfOrder(url: string, path: string, wanted: string[]): Promise<string[]> {
  const listed = idsOf(await readList(url, path, undefined, PAGE))
  return listed.join() === wanted.join() ? [] : [`${path}: ${listed}, not ${wanted}`]
}

const COMMENT_ORDERS: Record<string, string> = {
  new: 'created_at DESC, id DESC',
  top: 'score DESC, id DESC',
}

/** Like `feedOrderDifferences`, for the comments of a post and for those below each comment. */
export async function threadOrderDifferences({ forum }: World, shown: Shown): Promise<string[]> {
  const { rows } = await forum.db.query<{ id: string; post_id: string; path: string }>(
    'SELECT id, post_id, path FROM comments ORDER BY path COLLATE "C"',
  )
  const threads = ofType(shown, 'post').filter(({ comment_count }) => comment_count > 0)
  const found: string[] = []
  for (const { id } of threads) {
    const path = `/api/v1/posts/${id}/comments`
    const thread = await readList(forum.url, path, undefined, PAGE)
    const placed = idsOf(thread)
    const inThread = rows.filter((row) => row.post_id === id && placed.includes(row.id))
    if (idsOf(inThread).join() !== placed.join()) found.push(`${path}: ${placed}`)
    for (const { id: under, path: above } of inThread) {
      const below = inThread.filter((row) => row.path !== above && row.path.startsWith(above))
      found.push(...(await outOfOrder(forum.url, `${path}?under=${under}`, idsOf(below))))
    }
    for (const [sort, by] of Object.entries(COMMENT_ORDERS)) {
      const sorted = await forum.db.query<{ id: string }>(
        `SELECT id FROM comments WHERE post_id = $1 AND visibility = 'public' ORDER BY ${by}`,
        [id],
      )
      found.push(...(await outOfOrder(forum.url, `${path}?sort=${sort}`, idsOf(sorted.rows))))
    }
  }
  return found
}
