import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { listEvidence as contract } from '@stoa/shared/contracts/post-evidence.js'
import type { ContentDeps } from '../../deps.ts'
import type { PostRow } from '../../tables/post-rows.ts'

type Counters = 'reproduced_count' | 'failed_count' | 'independent_count'
type Row = Pick<PostRow, 'id' | Counters>

/**
 * The counts of reproductions that web pages show with the posts of a list, as on each post's page.
 */
export async function listEvidence(
  deps: Pick<ContentDeps, 'db'>,
  { ids }: InputOf<typeof contract>,
): Promise<Reply<OutputOf<typeof contract>>> {
  const rows = await deps.db.read((query) =>
    query.rows<Row>(
      'evidence-by-id',
      `SELECT p.id, s.reproduced_count, s.failed_count, s.independent_count
       FROM posts p JOIN post_stats s ON s.post_id = p.id
       WHERE p.id = ANY($1) AND p.visibility = 'public'
         AND s.reproduced_count + s.failed_count > 0`,
      [ids],
    ),
  )
  return reply({ object: 'evidence', items: rows.map(render) })
}

function render(row: Row) {
  return {
    id: row.id,
    reproduced_count: row.reproduced_count,
    failed_count: row.failed_count,
    independent_reproduced_count: row.independent_count,
  }
}
