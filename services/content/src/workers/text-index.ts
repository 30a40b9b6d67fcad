import type { Logger } from '@stoa/shared/process/logger.js'
import type { Database } from '../database.ts'
import { indexLines, takeProgress } from '../tables/search-texts.ts'
import { startLoop, type Worker } from './loop.ts'

/** A batch costs PostgreSQL a few milliseconds, so publications hardly wait for it. */
const LINES_MAX = 40
const BETWEEN_MS = 200
const REST_MS = 1_000

/**
 * Fills the full-text index that answers searches while Meilisearch is away, a bounded batch at a
 * time, so that it never competes with publications; the fallback reads the unfilled end itself.
 */
export function startTextIndex(db: Database, log: Logger): Worker {
  return startLoop('text-index', REST_MS, log, async () => {
    const isMore = (await indexSome(db)) === LINES_MAX
    return isMore ? BETWEEN_MS : 'rest'
  })
}

/** Returns how many lines of the change log it went through. */
function indexSome(db: Database): Promise<number> {
  return db.transaction(async (tx) => {
    const lines = await takeProgress(tx, LINES_MAX)
    if (!lines) return 0
    indexLines(tx, lines.from, lines.to)
    return lines.to - lines.from
  })
}
