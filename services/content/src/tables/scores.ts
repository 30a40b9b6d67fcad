import type { HotSettings } from '@stoa/shared/hot-order/hot-score.js'
import { piecesOf } from '@stoa/shared/process/pieces.js'
import type { Database } from '../database.ts'
import { type Counted, scoreOf } from './stats.ts'

/** So many rows are held at once, while whoever votes for one of them waits. */
const TOGETHER_MAX = 500

/**
 * Writes the scores that do not follow from the counters beside them under these settings. A row that
 * has changed since it was read is left: whoever changed it has written its score.
 */
export async function correctScores(
  db: Database,
  rows: readonly Counted[],
  settings: HotSettings,
): Promise<void> {
  const wrong = rows.filter((row) => row.hot_score !== scoreOf(row, settings))
  for (const some of piecesOf(wrong, TOGETHER_MAX)) {
    const ids = some.map((row) => row.post_id)
    await db.transaction(async (tx) => {
      // In id order, as everybody locks them: an update alone takes them as they come.
      tx.send(
        'lock-scores',
        'SELECT 1 FROM post_stats WHERE post_id = ANY($1) ORDER BY post_id FOR UPDATE',
        [ids],
      )
      tx.send(
        'correct-scores',
        `UPDATE post_stats p SET hot_score = s.score
         FROM unnest($1::text[], $2::int[], $3::double precision[]) AS s (id, revision, score)
         WHERE p.post_id = s.id AND p.revision = s.revision AND p.post_id = ANY($1)`,
        [ids, some.map((row) => row.revision), some.map((row) => scoreOf(row, settings))],
      )
    })
  }
}
