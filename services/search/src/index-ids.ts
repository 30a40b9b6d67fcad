import type { Bus } from '@stoa/shared/bus/bus.js'
import type { SearchDocument } from '@stoa/shared/contracts/search.js'
import { AppError } from '@stoa/shared/errors.js'
import type { ForumIndex } from './forum-index.ts'
import { readDocuments } from './read-documents.ts'

export interface IndexDeps {
  bus: Bus
  index: ForumIndex
}

const ROUNDS_MAX = 5

/**
 * Makes an index show these ids as content has them now.
 *
 * What was written is compared with content once more, and written again where it has changed
 * meanwhile. So replicas may work on the same id at the same time: whoever writes something that
 * is out of date finds out, and puts it right before it acknowledges. Throws `unavailable`.
 */
export async function indexIds({ bus, index }: IndexDeps, uid: string, ids: string[]) {
  let pending = [...new Set(ids)]
  let current = await readDocuments(bus, pending)
  for (let round = 1; pending.length > 0; round++) {
    if (round > ROUNDS_MAX) throw new AppError('unavailable')
    const documents = pending.flatMap((id) => current.get(id) ?? [])
    const gone = pending.filter((id) => !current.has(id))
    await index.write(uid, documents, gone)
    const now = await readDocuments(bus, pending)
    pending = pending.filter((id) => !isSame(current.get(id), now.get(id)))
    current = now
  }
}

/** Votes change the score all the time; it is as fresh as the last change of anything else. */
function isSame(written: SearchDocument | undefined, now: SearchDocument | undefined): boolean {
  if (!written || !now) return written === now
  return JSON.stringify({ ...written, score: 0 }) === JSON.stringify({ ...now, score: 0 })
}
