import type { Bus } from '@stoa/shared/bus/bus.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { isSameState } from './document-state.ts'
import type { ForumIndex, Indexes } from './forum-index.ts'
import { readDocuments, readStates } from './read-documents.ts'

export interface IndexDeps {
  bus: Bus
  index: ForumIndex
}

const ROUNDS_MAX = 5

/**
 * Makes the first of these indexes show these ids as content has them now, and removes from all of
 * them what is not public.
 *
 * Compares what was written with content once more, and writes what has changed since again. So
 * replicas may work on the same id at the same time: a replica that writes an outdated document
 * finds out, and corrects it before it acknowledges. Throws `unavailable`.
 */
export async function indexIds(
  { bus, index }: IndexDeps,
  uids: Indexes,
  ids: string[],
): Promise<void> {
  let pending = [...new Set(ids)]
  for (let round = 1; pending.length > 0; round++) {
    if (round > ROUNDS_MAX) throw new AppError('unavailable')
    const written = await readDocuments(bus, pending)
    const gone = pending.filter((id) => !written.has(id))
    await index.write(uids, [...written.values()], gone)
    const now = await readStates(bus, pending)
    // Votes change the score all the time, so it is only as fresh as the last other change.
    pending = pending.filter((id) => !isSameState(written.get(id), now.get(id)))
  }
}
