import type { Bus } from '@stoa/shared/bus/bus.js'
import {
  listDocuments,
  type SearchDocument,
  type SearchType,
} from '@stoa/shared/contracts/search.js'
import { AppError, isAppError } from '@stoa/shared/errors.js'
import { uuidV7 } from '@stoa/shared/ids.js'

/** Few enough that their documents nearly always fit whole into one message of the bus. */
const IDS_MAX = 100
const PAGE_DOCUMENTS = 100

/** What is public now of these ids; the others are not. Throws `unavailable`. */
export async function readDocuments(bus: Bus, ids: string[]): Promise<Map<string, SearchDocument>> {
  const parts: Promise<SearchDocument[]>[] = []
  for (let start = 0; start < ids.length; start += IDS_MAX) {
    parts.push(readByIds(bus, ids.slice(start, start + IDS_MAX)))
  }
  const documents = (await Promise.all(parts)).flat()
  return new Map(documents.map((document) => [document.id, document]))
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
  try {
    return await bus.request(listDocuments, wanted, meta)
  } catch (error) {
    const late = isAppError(error) && error.code === 'timeout'
    throw late ? new AppError('unavailable', {}, { cause: error }) : error
  }
}
