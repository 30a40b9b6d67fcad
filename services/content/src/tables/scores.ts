import type { HotSettings } from '@stoa/shared/hot-order/hot-score.js'
import { piecesOf } from '@stoa/shared/process/pieces.js'
import type { Database } from '../database.ts'
import { type Counted, scoreOf } from './stats.ts'

/** How many rows are locked at once, while votes on these posts wait. */
const TOGETHER_MAX = 500

/**
 * Writes the scores that differ from what their counters come to under these settings. A row that
 * has changed since it was read is left: the change wrote its score.
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
      // Locks in id order, as every transaction does: an UPDATE alone locks rows as it meets them.
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
