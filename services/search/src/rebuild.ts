import type { Bus } from '@stoa/shared/bus/bus.js'
import { streamState } from '@stoa/shared/bus/follow-stream.js'
import { STREAMS } from '@stoa/shared/bus/streams.js'
import { type SearchDocument, SearchType } from '@stoa/shared/contracts/search.js'
import type { IndexDeps } from './index-ids.ts'
import { indexedDocument } from './indexed-document.ts'
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
const TASK_BYTES_MAX = 4 * 1024 * 1024
const TASK_DOCUMENTS_MIN = 2_000
const TASK_DOCUMENTS_MAX = 10_000
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

/** What the next task will hold: bytes, since as many objects would make the process grow. */
interface Gathered {
  lines: Buffer[]
  bytes: number
  documents: number
}

const NONE: Gathered = { lines: [], bytes: 0, documents: 0 }

/** Reads on while Meilisearch works. */
async function fill(
  { bus, index }: IndexDeps,
  uid: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const tasks: Promise<void>[] = []
  let documentsMax = TASK_DOCUMENTS_MIN
  let gathered = NONE
  const flush = async () => {
    if (tasks.length === TASKS_MAX) await tasks.shift()
    const { lines, documents } = gathered
    gathered = NONE
    documentsMax = Math.min(documentsMax * 2, TASK_DOCUMENTS_MAX)
    const task = index.fill(uid, Buffer.concat(lines)).then(() => {
      progress.done += documents
    })
    // Its failure is met where it is waited for.
    task.catch(() => {})
    tasks.push(task)
  }
  for await (const items of readAll(bus)) {
    signal.throwIfAborted()
    gathered = withPage(gathered, items)
    if (gathered.documents >= documentsMax || gathered.bytes >= TASK_BYTES_MAX) await flush()
  }
  if (gathered.documents > 0) await flush()
  await Promise.all(tasks)
}

function withPage({ lines, bytes, documents }: Gathered, items: SearchDocument[]): Gathered {
  const page = items.map((item) => `${JSON.stringify(indexedDocument(item))}\n`).join('')
  const added = Buffer.from(page)
  return {
    lines: [...lines, added],
    bytes: bytes + added.length,
    documents: documents + items.length,
  }
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
