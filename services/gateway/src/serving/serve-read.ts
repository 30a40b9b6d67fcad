import { parseAnswer } from '@stoa/shared/bus/ask.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { isAppError, type Warning } from '@stoa/shared/errors/errors.js'
import { Entry, type Loaded } from '../cache/entry.ts'
import { fingerprint, sealWith, withWarnings } from '../cache/seal-with.ts'
import { sendEntry } from '../cache/send-entry.ts'
import type { Core } from '../core.ts'
import { type Exchange, hasBody, metaFor } from '../http/exchange.ts'
import { parseInput } from '../http/input.ts'
import { JSON_TYPE, MARKDOWN_TYPE } from '../http/media-types.ts'
import { queryOf } from '../http/path-of.ts'
import { parseQuery } from '../http/query.ts'
import { askRow, type Row } from '../routes/row.ts'
import { mustBeFresh } from './must-be-fresh.ts'

/**
 * Answers a GET: public content from the cache, and hidden content to the caller that may see it.
 */
export async function serveRead(core: Core, row: Row, exchange: Exchange): Promise<void> {
  const url = exchange.req.url ?? ''
  const { input, warnings } = parseInput(row.request, {
    place: 'query',
    values: parseQuery(queryOf(url)),
    path: exchange.path,
  })
  if (hasBody(exchange.req)) warnings.push({ code: 'ignored', name: 'body' })
  if (row.serve) return row.serve(core, exchange, input as never, warnings)
  const meta = metaFor(exchange, row.request)
  const loadAs = (asked: Meta) => loadAnswer(core, row, input, warnings, asked)
  if (!row.isCached || warnings.length > 0) {
    return sendEntry(exchange, new Entry(await loadAs(meta)))
  }
  const key = `${row.request.name} ${JSON.stringify(input)}`
  const { caller, ...nobody } = meta
  // The cache keeps this function to read the answer again, so it must not reference the exchange.
  const entry = await readPublic(core, key, exchange, () => loadAs(nobody)).catch(async (error) => {
    if (!caller || !isHidden(error)) throw error
    return new Entry(await loadAs(meta))
  })
  if (core.cache.has(key)) core.urls.remember(url, { key, limit: row.limit })
  await sendEntry(exchange, entry)
}

/**
 * The answer that everybody gets. It is asked for without a caller, so that a kept answer holds
 * nothing of one caller's own.
 */
async function readPublic(
  core: Core,
  key: string,
  exchange: Exchange,
  load: () => Promise<Loaded>,
): Promise<Entry> {
  if (mustBeFresh(core, exchange.req, exchange.caller)) return new Entry(await load())
  return core.cache.read(key, load, true)
}

/** Whether the content may still be visible to its author or a moderator. */
function isHidden(error: unknown): boolean {
  return isAppError(error) && (error.code === 'not_found' || error.code === 'removed')
}

async function loadAnswer(
  core: Core,
  row: Row,
  input: Record<string, unknown>,
  warnings: Warning[],
  asked: Meta,
): Promise<Loaded> {
  const answered = withWarnings(await askRow(core, row, input, asked), warnings)
  const { json, meta } = answered
  const isMarkdown = row.answers === 'markdown'
  return {
    body: isMarkdown ? markdownOf(json) : sealWith(answered),
    fingerprint: fingerprint(answered),
    contentType: isMarkdown ? MARKDOWN_TYPE : JSON_TYPE,
    tags: meta.tags ?? [],
    isKept: warnings.length === 0,
    ...(meta.version === undefined ? {} : { version: meta.version }),
    ...(row.statusOf ? { status: row.statusOf(json) } : {}),
  }
}

function markdownOf(json: Uint8Array): Buffer {
  return Buffer.from(parseAnswer<{ markdown: string }>({ json }).markdown)
}
