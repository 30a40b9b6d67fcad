import type { Bus } from '@stoa/shared/bus/bus.js'
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

/**
 * One task of Meilisearch: large ones index faster, but hold up what is published meanwhile. The
 * first ones are small, so that it has something to do soon.
 */
const TASK_CHARACTERS_MAX = 10_000_000
const TASK_DOCUMENTS_MIN = 2_000
const TASK_DOCUMENTS_MAX = 20_000
/** One that is worked on, and one that waits, so that there is always something to do. */
const TASKS_MAX = 2

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
 * 2. Read every type from content, and write it in large tasks.
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
  await fill(deps, uid, progress, signal)
  const position = await replay(deps, uid, lastSeq, signal)
  await deps.index.promote(uid)
  await replay(deps, deps.index.live, position, signal)
}

/** Reads on while Meilisearch works. */
async function fill(
  { bus, index }: IndexDeps,
  uid: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const tasks: Promise<void>[] = []
  let documentsMax = TASK_DOCUMENTS_MIN
  let gathered: SearchDocument[] = []
  const flush = async () => {
    if (tasks.length === TASKS_MAX) await tasks.shift()
    const documents = gathered
    gathered = []
    documentsMax = Math.min(documentsMax * 2, TASK_DOCUMENTS_MAX)
    const task = index.write(uid, documents, [], LATER).then(() => {
      progress.done += documents.length
    })
    // Its failure is met where it is waited for.
    task.catch(() => {})
    tasks.push(task)
  }
  for await (const items of readAll(bus)) {
    signal.throwIfAborted()
    gathered.push(...items)
    if (isFull(gathered, documentsMax)) await flush()
  }
  if (gathered.length > 0) await flush()
  await Promise.all(tasks)
}

function isFull(documents: SearchDocument[], documentsMax: number): boolean {
  const characters = documents.reduce((sum, { body_md }) => sum + body_md.length, 0)
  return documents.length >= documentsMax || characters >= TASK_CHARACTERS_MAX
}

/** Every document of every type; each page is asked for before the one before is handed over. */
async function* readAll(bus: Bus): AsyncGenerator<SearchDocument[]> {
  for (const type of SearchType.options) {
    let page = await readPage(bus, type, undefined)
    for (let last = page.items.at(-1); last; last = page.items.at(-1)) {
      const next = readPage(bus, type, last.id)
      // Nobody waits for it where its reader was stopped.
      next.catch(() => {})
      yield page.items
      page = await next
    }
  }
}
