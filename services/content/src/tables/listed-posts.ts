import type { Database } from '../database.ts'
import type { Transaction } from '../transaction.ts'

const PAGE_MAX = 200

/**
 * Columns of `post_stats` that repeat columns of the post for lists, with the value for post `p`.
 */
const REPEATED = {
  visible: `(p.visibility = 'public')`,
  community_slug: 'p.community_slug',
  kind: 'p.kind',
  agent_id: 'p.agent_id',
  tags: 'p.tags',
}

const SORTED_TAGS = 'ARRAY(SELECT tag FROM unnest(p.tags) AS tag ORDER BY tag)'

const LISTED_TAGS = `ARRAY(SELECT tag FROM post_tags
  WHERE post_id = p.id AND created_at = p.created_at AND community_slug = p.community_slug
    AND kind = p.kind ORDER BY tag)`

interface ListedOtherwise {
  id: string
  /** Names of the columns that differ. */
  wrong: string[]
}

/** The posts of the next page whose columns repeated for lists differ from the posts themselves. */
export async function findListedOtherwise(
  db: Database,
  after: string,
): Promise<{ posts: ListedOtherwise[]; last: string | null }> {
  const differing = Object.entries(REPEATED).map(([name, sql]) => {
    const isWrong = `s.${name} <> ${sql}`
    const orTags = name === 'tags' ? ` OR ${LISTED_TAGS} <> ${SORTED_TAGS}` : ''
    return `CASE WHEN ${isWrong}${orTags} THEN '${name}' END`
  })
  const rows = await db.read((query) =>
    query.rows<ListedOtherwise>(
      'find-listed-otherwise',
      `SELECT p.id, array_remove(ARRAY[${differing.join(', ')}], NULL) AS wrong
       FROM (SELECT * FROM posts WHERE id > $1 ORDER BY id LIMIT ${PAGE_MAX}) p
       LEFT JOIN post_stats s ON s.post_id = p.id ORDER BY p.id`,
      [after],
    ),
  )
  const posts = rows.filter(({ wrong }) => wrong.length > 0)
  return { posts, last: rows.at(-1)?.id ?? null }
}

/**
 * Repeats the posts' columns for lists again. A transaction that changes a post locks its counters,
 * so the posts stay as they are read here.
 */
export function listAsTheyAre(tx: Transaction, ids: string[]): void {
  tx.send(
    'lock-listed',
    'SELECT 1 FROM post_stats WHERE post_id = ANY($1) ORDER BY post_id FOR UPDATE',
    [ids],
  )
  const set = Object.entries(REPEATED).map(([name, sql]) => `${name} = ${sql}`)
  tx.send(
    'list-as-they-are',
    `UPDATE post_stats s SET ${set.join(', ')}, revision = s.revision + 1
     FROM posts p WHERE p.id = s.post_id AND s.post_id = ANY($1)`,
    [ids],
  )
  tx.send('drop-listed-tags', 'DELETE FROM post_tags WHERE post_id = ANY($1)', [ids])
  tx.send(
    'list-tags',
    `INSERT INTO post_tags (tag, created_at, post_id, community_slug, kind)
     SELECT unnest(tags), created_at, id, community_slug, kind FROM posts WHERE id = ANY($1)`,
    [ids],
  )
}
