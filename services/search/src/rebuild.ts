import { streamState } from '@stoa/shared/bus/follow-stream.js'
import { STREAMS } from '@stoa/shared/bus/streams.js'
import { type SearchDocument, SearchType } from '@stoa/shared/contracts/search.js'
import type { IndexDeps } from './index-ids.ts'
import { LATER } from './meili.ts'
import { readPage } from './read-documents.ts'
import { replay } from './replay.ts'

export interface Progress {
  done: number
  total: number
}

/** One task of Meilisearch: large ones index faster, but hold up what is published meanwhile. */
const TASK_CHARACTERS_MAX = 4_000_000
const TASK_DOCUMENTS_MAX = 5_000

/** How many documents content has of all types. Throws `unavailable`. */
export async function countDocuments({ bus }: IndexDeps): Promise<number> {
  const pages = await Promise.all(
    SearchType.options.map((type) => readPage(bus, type, undefined, 1)),
  )
  return pages.reduce((sum, { total }) => sum + total, 0)
}

/**
 * Fills an index and makes it the live one, while the one before goes on answering.
 *
 * 1. Note the end of the FORUM stream: all before it is in the pages read from content.
 * 2. Read every type from content, and write it in large tasks, one at a time.
 * 3. Apply what was told meanwhile, then swap.
 * 4. Apply what was told while swapping: other replicas may have written it to the index before.
 */
export async function rebuild(
  deps: IndexDeps,
  uid: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const { lastSeq } = await streamState(deps.bus.nc, STREAMS.forum.name)
  for (const type of SearchType.options) await fill(deps, uid, type, progress, signal)
  const position = await replay(deps, uid, lastSeq, signal)
  await deps.index.promote(uid)
  await replay(deps, deps.index.live, position, signal)
}

/** Reads on while Meilisearch works on the task before. */
async function fill(
  { bus, index }: IndexDeps,
  uid: string,
  type: SearchType,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  let task: Promise<void> = Promise.resolve()
  let gathered: SearchDocument[] = []
  let afterId: string | undefined
  const flush = async () => {
    await task
    const documents = gathered
    gathered = []
    task = index.write(uid, documents, [], LATER).then(() => {
      progress.done += documents.length
    })
    // Its failure is met where the next one waits for it.
    task.catch(() => {})
  }
  for (;;) {
    signal.throwIfAborted()
    const { items } = await readPage(bus, type, afterId)
    const last = items.at(-1)
    if (!last) break
    afterId = last.id
    gathered.push(...items)
    if (isFull(gathered)) await flush()
  }
  if (gathered.length > 0) await flush()
  await task
}

function isFull(documents: SearchDocument[]): boolean {
  const characters = documents.reduce((sum, { body_md }) => sum + body_md.length, 0)
  return documents.length >= TASK_DOCUMENTS_MAX || characters >= TASK_CHARACTERS_MAX
}
