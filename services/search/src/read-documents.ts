import type { Bus } from '@stoa/shared/bus/bus.js'
import {
  listDocuments,
  listDocumentVersions,
  type SearchDocument,
  type SearchType,
} from '@stoa/shared/contracts/search.js'
import { AppError, isAppError } from '@stoa/shared/errors.js'
import { uuidV7 } from '@stoa/shared/ids.js'

/**
 * Few enough that their documents nearly always fit whole into one message of the bus, and that
 * content, which has writers waiting, is soon done with them.
 */
const IDS_MAX = 25
const PAGE_DOCUMENTS = 200
const VERSIONS_MAX = 500

/** What is public now of these ids; the others are not. Throws `unavailable`. */
export async function readDocuments(bus: Bus, ids: string[]): Promise<Map<string, SearchDocument>> {
  const parts: Promise<SearchDocument[]>[] = []
  for (let start = 0; start < ids.length; start += IDS_MAX) {
    parts.push(readByIds(bus, ids.slice(start, start + IDS_MAX)))
  }
  const documents = (await Promise.all(parts)).flat()
  return new Map(documents.map((document) => [document.id, document]))
}

/** The public version of each of these ids; what is not public has none. Throws `unavailable`. */
export async function readVersions(bus: Bus, ids: string[]): Promise<Map<string, number>> {
  const versions = new Map<string, number>()
  for (let start = 0; start < ids.length; start += VERSIONS_MAX) {
    const some = { ids: ids.slice(start, start + VERSIONS_MAX) }
    const meta = { requestId: `index-${uuidV7()}`, remainingMs: listDocumentVersions.timeoutMs }
    const found = await patiently(bus.request(listDocumentVersions, some, meta))
    for (const [id, version] of Object.entries(found.versions)) versions.set(id, version)
  }
  return versions
}

/** Documents too long for one message are asked for in halves. */
async function readByIds(bus: Bus, ids: string[]): Promise<SearchDocument[]> {
  try {
    return (await ask(bus, { ids, limit: ids.length })).items
  } catch (error) {
    const tooMuch = isAppError(error) && error.code === 'internal' && ids.length > 1
    if (!tooMuch) throw error
    const half = Math.ceil(ids.length / 2)
    return [
      ...(await readByIds(bus, ids.slice(0, half))),
      ...(await readByIds(bus, ids.slice(half))),
    ]
  }
}

/** A page of one type in id order; empty only at the end. Throws `unavailable`. */
export async function readPage(
  bus: Bus,
  type: SearchType,
  afterId: string | undefined,
  limit = PAGE_DOCUMENTS,
): Promise<{ items: SearchDocument[]; total: number }> {
  const from = afterId === undefined ? {} : { after_id: afterId }
  try {
    return await ask(bus, { type, ...from, limit })
  } catch (error) {
    const tooMuch = isAppError(error) && error.code === 'internal' && limit > 1
    if (!tooMuch) throw error
    return readPage(bus, type, afterId, Math.ceil(limit / 4))
  }
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
