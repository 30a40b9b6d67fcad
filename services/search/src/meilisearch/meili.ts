import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@stoa/shared/errors/errors.js'
import {
  type EnqueuedTask,
  Meilisearch,
  MeilisearchApiError,
  MeilisearchError,
  MeilisearchRequestError,
} from 'meilisearch'
import { meiliHttp } from './meili-http.ts'

/**
 * How long to wait for tasks that readers wait for; shorter than an event may be in hand before
 * other replicas get it.
 */
export const SOON_MS = 20_000
/** How long to wait for large tasks of an index that nobody searches yet. */
export const LATER_MS = 300_000

const FIRST_LOOK_MS = 5
const LOOK_EVERY_MS = 20

export interface MeiliServer {
  client: Meilisearch
  /** Puts documents as NDJSON into an index; the client would take that as one string only. */
  load(uid: string, lines: Buffer): Promise<EnqueuedTask>
  /** The time by the clock of the server, which dates its indexes. */
  now(): number
  /** Ends whatever waits for the server, with `unavailable`. */
  close(): void
}

export function connectMeili(host: string, apiKey: string): MeiliServer {
  const http = meiliHttp()
  const client = new Meilisearch({
    host,
    ...(apiKey ? { apiKey } : {}),
    httpClient: http.send,
  })
  const headers = {
    'content-type': 'application/x-ndjson',
    ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
  }
  const load = (uid: string, body: Buffer) =>
    http.send(new URL(`${host}/indexes/${uid}/documents`), {
      method: 'POST',
      headers,
      body,
    }) as Promise<EnqueuedTask>
  return { client, load, now: http.now, close: http.close }
}

/**
 * The type of errors that Meilisearch blames on its machine: no room on the disk, no more files.
 */
const OF_THE_MACHINE = 'system'

/**
 * Waits until an enqueued task has succeeded. Throws `unavailable` when Meilisearch is away, too
 * busy to reach the task, or kept from it by its machine, and TaskFailed when it refused the task.
 */
export async function settle(
  client: Meilisearch,
  enqueued: Promise<EnqueuedTask>,
  timeoutMs: number,
): Promise<void> {
  const { taskUid } = await call(enqueued)
  const startedAt = performance.now()
  for (;;) {
    const { status, error } = await call(client.tasks.getTask(taskUid))
    if (status === 'succeeded') return
    if (status === 'failed' || status === 'canceled') {
      const failed = new TaskFailed(error?.code ?? status)
      throw error?.type === OF_THE_MACHINE ? unavailable(failed) : failed
    }
    const waited = performance.now() - startedAt
    if (waited > timeoutMs) throw unavailable()
    await sleep(Math.min(FIRST_LOOK_MS + waited / 4, LOOK_EVERY_MS))
  }
}

export class TaskFailed extends Error {
  readonly code: string

  constructor(code: string) {
    super(`Meilisearch refused a task: ${code}`)
    this.name = 'TaskFailed'
    this.code = code
  }
}

/** Turns every failure to reach a working Meilisearch into `unavailable`. */
export async function call<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const refused = refusalOf(error)
    if (refused && !isPassing(refused)) throw error
    if (!(error instanceof MeilisearchError)) throw error
    throw unavailable(error)
  }
}

function unavailable(cause?: unknown): AppError {
  return new AppError('unavailable', { retry_after_seconds: 2 }, { cause })
}

interface Refusal {
  status: number
  code: string
  type: string
  message: string
}

/** JSON.stringify writes no trailing characters; anything else malformed would be so for ever. */
const CUT_OFF = /trailing characters/

/**
 * The status of an overload, and that of a request which Meilisearch read late, as it does after it
 * stood still.
 */
const LATER = [429, 408]

/**
 * Whether a repeat may succeed. If its disk is full, Meilisearch refuses removals with status 422,
 * and reports trailing characters after documents of more than 8 KiB.
 */
function isPassing({ status, code, type, message }: Refusal): boolean {
  const isCutOff = code === 'malformed_payload' && CUT_OFF.test(message)
  return status >= 500 || LATER.includes(status) || type === OF_THE_MACHINE || isCutOff
}

/** The reason given by an answer that refuses; undefined for any other failure. */
export function refusalOf(error: unknown): Refusal | undefined {
  // An error of our own transport arrives inside a MeilisearchRequestError.
  const inner = error instanceof MeilisearchRequestError ? error.cause : error
  if (!(inner instanceof MeilisearchApiError)) return undefined
  const { code = '', type = '', message = '' } = inner.cause ?? {}
  return { status: inner.response.status, code, type, message }
}
