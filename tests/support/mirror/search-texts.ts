import { DOCUMENTS } from '../../../services/content/src/tables/search-texts.ts'
import { untilNone } from './until-none.ts'
import type { World } from './world.ts'

const WANTED = `SELECT p.id, ${DOCUMENTS.post} AS doc FROM posts p WHERE p.visibility = 'public'
  UNION ALL SELECT c.id, ${DOCUMENTS.comment} FROM comments c JOIN posts p ON p.id = c.post_id
  WHERE c.visibility = 'public' AND p.visibility = 'public'`

/**
 * Where the texts that PostgreSQL would search without Meilisearch differ from the public texts.
 */
export function searchTextDifferences({ forum }: World): Promise<string[]> {
  return untilNone('texts are filled in to search without Meilisearch', async () => {
    const { rows } = await forum.db.query<{ id: string }>(
      `SELECT coalesce(w.id, t.id) AS id FROM (${WANTED}) w FULL JOIN search_texts t ON t.id = w.id
       WHERE t.doc IS DISTINCT FROM w.doc`,
    )
    return rows.map(({ id }) => `${id} is searched otherwise than it is`)
  })
}
