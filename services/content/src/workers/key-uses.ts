import type { Logger } from '@stoa/shared/process/logger.js'
import type { Database } from '../database.ts'
import { startLoop } from './loop.ts'

/** Records when keys were used, apart from the requests that used them. */
export interface KeyUses {
  note(keyId: string): void
  close(): Promise<void>
}

const NOTE_EVERY_MS = 1_000
const NOTED_TOGETHER_MAX = 500
/** Further uses are not recorded; the next use of such a key may be. */
const WAITING_MAX = 20_000

/**
 * Uses wait in memory and are written together once a second, because no request waits for them: a
 * crash loses the uses of the last second. A key whose row is locked waits for its next use.
 */
export function startKeyUses(db: Database, log: Logger): KeyUses {
  const used = new Set<string>()
  const noteSome = async (): Promise<void> => {
    const ids = [...used].slice(0, NOTED_TOGETHER_MAX)
    if (ids.length === 0) return
    await db.transaction(async (tx) => {
      tx.send('uses-soon', 'SET LOCAL synchronous_commit = off')
      tx.send(
        'note-key-uses',
        `UPDATE api_keys k SET last_used_at = date_trunc('milliseconds', now())
         FROM (SELECT id FROM api_keys WHERE id = ANY($1) FOR NO KEY UPDATE SKIP LOCKED) free
         WHERE k.id = free.id`,
        [ids],
      )
    })
    for (const id of ids) used.delete(id)
  }
  const loop = startLoop('key-uses', NOTE_EVERY_MS, log, async () => {
    await noteSome()
    return used.size > 0 ? 'again' : 'rest'
  })
  return {
    note: (keyId) => {
      if (used.size < WAITING_MAX) used.add(keyId)
    },
    close: async () => {
      await loop.close()
      while (used.size > 0) await noteSome()
    },
  }
}
