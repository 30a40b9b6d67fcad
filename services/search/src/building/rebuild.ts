import type { Bus } from '@stoa/shared/bus/bus.js'
import { streamState } from '@stoa/shared/bus/stream-state.js'
import { STREAMS } from '@stoa/shared/bus/streams.js'
import { type SearchDocument, SearchType } from '@stoa/shared/contracts/search.js'
import type { EnqueuedTask } from 'meilisearch'
import { allEnded } from '../indexing/all-ended.ts'
import { prepareIndex, promoteIndex } from '../indexing/index-generations.ts'
import type { IndexDeps } from '../indexing/index-ids.ts'
import { indexedDocument } from '../indexing/indexed-document.ts'
import { readPage } from '../indexing/read-documents.ts'
import { replay } from './replay.ts'

export interface Progress {
  done: number
  total: number
}

/** The bytes of one task; kept as objects, the documents would make the process grow. */
const TASK_BYTES_MAX = 2 * 1024 * 1024
/**
 * Meilisearch works on all waiting tasks as one batch: large batches index faster, but delay what
 * is published in the meantime.
 */
const TASKS_MAX = 12

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
 * 1. Note the end of the FORUM stream: all events before it are in the pages read from content.
 * 2. Read every type from content, and write it in large tasks. Meilisearch is idle until the first
 *    task, so the empty recent index is created in that time.
 * 3. Apply the events told since step 1, then swap.
 * 4. Apply the events told during the swap: other replicas may have written them to the old index.
 */
export async function rebuild(
  deps: IndexDeps,
  uid: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const { created, lastSeq } = await streamState(deps.bus.nc, STREAMS.forum.name)
  const prepared = prepareIndex(deps.index, uid)
  // Wait for both, even if one fails: the other could still create again what is dropped after the
  // failure.
  await allEnded([prepared, fill(deps, uid, { progress, signal, prepared })])
  const position = await replay(deps, [uid], { stream: created, position: lastSeq }, signal)
  await promoteIndex(deps.index, uid, position)
  await replay(deps, deps.index.searched, position, signal)
}

interface Filling {
  progress: Progress
  signal: AbortSignal
  /**
   * Nothing is sent before this has resolved, for which there is time while the first task is read.
   */
  prepared: Promise<void>
}

/** Reads on while Meilisearch works. */
async function fill(
  { bus, index }: IndexDeps,
  uid: string,
  { progress, signal, prepared }: Filling,
): Promise<void> {
  const tasks: { task: EnqueuedTask; documents: number }[] = []
  const finishTo = async (left: number) => {
    for (const { task, documents } of tasks.splice(0, tasks.length - left)) {
      await index.done(task)
      progress.done += documents
    }
  }
  for await (const { lines, documents } of readTasks(bus)) {
    signal.throwIfAborted()
    await prepared
    if (tasks.length === TASKS_MAX) await finishTo(TASKS_MAX - 1)
    tasks.push({ task: await index.fill(uid, lines), documents })
  }
  await finishTo(0)
}

/** Every document as it is indexed, serialized, in pieces as large as one task may be. */
async function* readTasks(bus: Bus): AsyncGenerator<{ lines: Buffer; documents: number }> {
  let pages: Buffer[] = []
  let bytes = 0
  let documents = 0
  for await (const items of readAll(bus)) {
    const page = Buffer.from(
      items.map((item) => `${JSON.stringify(indexedDocument(item))}\n`).join(''),
    )
    pages.push(page)
    bytes += page.length
    documents += items.length
    if (bytes < TASK_BYTES_MAX) continue
    yield { lines: Buffer.concat(pages), documents }
    pages = []
    bytes = 0
    documents = 0
  }
  if (documents > 0) yield { lines: Buffer.concat(pages), documents }
}

/** Every document of every type; each page is requested before the page before is handed over. */
async function* readAll(bus: Bus): AsyncGenerator<SearchDocument[]> {
  for (const type of SearchType.options) {
    let page = await readPage(bus, type, undefined)
    for (let last = page.items.at(-1); last; last = page.items.at(-1)) {
      const next = readPage(bus, type, last.id)
      // Nobody awaits this page if its reader was stopped.
      next.catch(() => {})
      yield page.items
      page = await next
    }
  }
}
