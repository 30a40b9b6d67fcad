import type { Bus } from '@stoa/shared/bus/bus.js'
import {
  listDocuments,
  listDocumentVersions,
  type SearchDocument,
  type SearchType,
} from '@stoa/shared/contracts/search.js'
import { AppError, isAppError } from '@stoa/shared/errors/errors.js'
import { uuidV7 } from '@stoa/shared/identifiers/ids.js'
import { piecesOf } from '@stoa/shared/process/pieces.js'
import type { DocumentState } from './document-state.ts'

/**
 * Few enough that their documents nearly always fit into one message of the bus uncut, and that
 * content, which has writers waiting, is soon done with them.
 */
const IDS_MAX = 25
const PAGE_DOCUMENTS = 200
const VERSIONS_MAX = 500

/** The public documents of these ids; the other ids are not public. Throws `unavailable`. */
export async function readDocuments(bus: Bus, ids: string[]): Promise<Map<string, SearchDocument>> {
  const parts = piecesOf(ids, IDS_MAX).map((some) => ask(bus, { ids: some, limit: some.length }))
  const documents = (await Promise.all(parts)).flatMap(({ items }) => items)
  return new Map(documents.map((document) => [document.id, document]))
}

/**
 * The public state of each of these ids; an id that is not public has none. Throws `unavailable`.
 */
export async function readStates(bus: Bus, ids: string[]): Promise<Map<string, DocumentState>> {
  const states = new Map<string, DocumentState>()
  for (const some of piecesOf(ids, VERSIONS_MAX)) {
    const meta = { requestId: `index-${uuidV7()}`, remainingMs: listDocumentVersions.timeoutMs }
    const { versions, times } = await patiently(
      bus.request(listDocumentVersions, { ids: some }, meta),
    )
    for (const [id, version] of Object.entries(versions)) {
      states.set(id, { version, created_at: times?.[id] })
    }
  }
  return states
}

/** A page of one type in id order; empty only at the end. Throws `unavailable`. */
export async function readPage(
  bus: Bus,
  type: SearchType,
  afterId: string | undefined,
  limit = PAGE_DOCUMENTS,
): Promise<{ items: SearchDocument[]; total: number }> {
  const from = afterId === undefined ? {} : { after_id: afterId }
  return ask(bus, { type, ...from, limit })
}

interface Wanted {
  ids?: string[]
  type?: SearchType
  after_id?: string
  limit: number
}

async function ask(bus: Bus, wanted: Wanted) {
  const meta = { requestId: `index-${uuidV7()}`, remainingMs: listDocuments.timeoutMs }
  return patiently(bus.request(listDocuments, wanted, meta))
}

/** A content service that is late is asked again later, like one that is away. */
async function patiently<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const late = isAppError(error) && error.code === 'timeout'
    throw late ? new AppError('unavailable', {}, { cause: error }) : error
  }
}
