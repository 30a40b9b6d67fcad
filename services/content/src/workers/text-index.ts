import type { Logger } from '@stoa/shared/logger.js'
import type { Database } from '../database.ts'
import { indexLines, takeProgress } from '../tables/search-texts.ts'
import { startLoop, type Worker } from './loop.ts'

const LINES_MAX = 200
const REST_MS = 1_000

/**
 * Fills the full-text index that answers searches while Meilisearch is away, a bounded batch a
 * second, so that it never competes with publications; the fallback reads the unfilled end itself.
 */
export function startTextIndex(db: Database, log: Logger): Worker {
  return startLoop('text-index', REST_MS, log, async () => {
    await db.transaction(async (tx) => {
      const lines = await takeProgress(tx, LINES_MAX)
      if (lines) indexLines(tx, lines.from, lines.to)
    })
    return 'rest'
  })
}
