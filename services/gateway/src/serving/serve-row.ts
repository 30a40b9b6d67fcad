import { createHash } from 'node:crypto'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { AppError, isAppError, type Warning } from '@stoa/shared/errors/errors.js'
import { holdsKey } from '@stoa/shared/identifiers/api-key.js'
import { bareKey, IDEMPOTENCY_KEY } from '@stoa/shared/identifiers/idempotency-key.js'
import { Entry, type Loaded } from '../cache/entry.ts'
import { type Answered, fingerprint, sealWith } from '../cache/seal-with.ts'
import { sendEntry } from '../cache/send-entry.ts'
import { type Core, settle } from '../core.ts'
import { COMPRESSIBLE_BYTES_MIN, chooseCoding, compress } from '../http/coding.ts'
import { entityTag, quotedTag, versionFromIfMatch } from '../http/etag.ts'
import { type Exchange, metaFor, PRIVATE_CACHE, sendOnce, VARY } from '../http/exchange.ts'
import { parseInput, parseQuery } from '../http/input.ts'
import { readJsonBody } from '../http/json-body.ts'
import { queryOf } from '../http/path-of.ts'
import type { Row } from '../routes/row.ts'
import { admit } from './admit.ts'
import { mustBeFresh } from './must-be-fresh.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8'

/** Answers one request to a row of the table, or throws what is to be answered instead. */
export function serveRow(core: Core, row: Row, exchange: Exchange): Promise<void> {
  return core.atOnce.during(exchange, async (leave) => {
    await admit(core, exchange, row)
    // A stream stays, and has limits of its own.
    if (row.serve) leave()
    if (row.method === 'GET') await serveRead(core, row, exchange)
    else await serveWrite(core, row, exchange)
  })
}

async function serveRead(core: Core, row: Row, exchange: Exchange): Promise<void> {
  const url = exchange.req.url ?? ''
  const { input, warnings } = parseInput(row.request, {
    place: 'query',
    values: parseQuery(queryOf(url)),
    path: exchange.path,
  })
  if (row.serve) return row.serve(core, exchange, input as never)
  const meta = metaFor(exchange, row.request)
  const loadAs = (asked: Meta) => loadAnswer(core, row, input, warnings, asked)
  if (!row.isCached || warnings.length > 0) {
    return sendEntry(exchange, new Entry(await loadAs(meta), performance.now()))
  }
  const key = `${row.request.name} ${JSON.stringify(input)}`
  const { caller, ...nobody } = meta
  // Kept beside the answer to read it again, so it holds on to nothing of the exchange.
  const entry = await readPublic(core, key, exchange, () => loadAs(nobody)).catch(async (error) => {
    if (!caller || !isHidden(error)) throw error
    return new Entry(await loadAs(meta), performance.now())
  })
  core.urls.remember(url, { key, limit: row.limit })
  await sendEntry(exchange, entry)
}

/**
 * The answer that anybody would get, asked for as nobody whoever asks: so it can be kept, and what is
 * kept is nobody's own.
 */
async function readPublic(
  core: Core,
  key: string,
  exchange: Exchange,
  load: () => Promise<Loaded>,
): Promise<Entry> {
  if (mustBeFresh(core, exchange.req, exchange.caller))
    return new Entry(await load(), performance.now())
  return core.cache.read(key, load, true)
}

/** Whether its author or a moderator may still be shown it. */
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
  const answered = await run(core, row, input, asked)
  const { json, meta } = answered
  const extra = warnings.length > 0 ? { warnings } : {}
  const isMarkdown = row.answers === 'markdown'
  return {
    body: isMarkdown ? markdownOf(json) : sealWith(answered, extra),
    fingerprint: fingerprint(answered, extra),
    contentType: isMarkdown ? MARKDOWN_TYPE : JSON_TYPE,
    tags: meta.tags ?? [],
    isKept: warnings.length === 0,
    ...(meta.version === undefined ? {} : { version: meta.version }),
    ...(row.statusOf ? { status: row.statusOf(json) } : {}),
  }
}

function markdownOf(json: Uint8Array): Buffer {
  return Buffer.from((JSON.parse(Buffer.from(json).toString()) as { markdown: string }).markdown)
}

async function serveWrite(core: Core, row: Row, exchange: Exchange): Promise<void> {
  const { value, bytes } = await readJsonBody(exchange.req)
  const { input, warnings } = parseInput(row.request, {
    place: 'body',
    values: value,
    path: exchange.path,
  })
  applyIfMatch(row, exchange, input)
  const meta = { ...metaFor(exchange, row.request), ...writeMeta(row, exchange, input, bytes) }
  const answer = await run(core, row, input, meta).finally(() => {
    // A write that was not answered in time may have happened all the same.
    if (exchange.caller) core.recentWriters.set(exchange.caller.agent_id, true)
  })
  // Before the answer leaves: whoever wrote may read at once and must find it.
  await settle(core, answer.meta.tags ?? [])
  await sendWritten(core, exchange, answer, warnings)
}

function run(core: Core, row: Row, input: object, meta: Meta): Promise<Answered> {
  return row.run ? row.run(core, input as never, meta) : core.ask(row.request, input as never, meta)
}

/**
 * If-Match speaks for `expected_version`, and is the more deliberate of the two. A write that
 * cannot be held to a version is refused: who sends the header counts on it.
 */
function applyIfMatch(row: Row, exchange: Exchange, input: Record<string, unknown>): void {
  const header = exchange.req.headers['if-match']
  const version = header === undefined ? undefined : versionFromIfMatch(header)
  if (version === undefined) return
  if (!('expected_version' in row.request.input.shape)) {
    throw badHeader('If-Match', 'not_applicable', 'means nothing for this request: leave it out')
  }
  if (version === null) throw new AppError('version_conflict')
  input.expected_version = version
}

const KEY_RULE = 'is not 1 to 255 visible ASCII characters without spaces'
const KEY_IS_SECRET = 'holds an API key, which belongs in Authorization alone: send a random value'

function badHeader(name: string, code: string, message: string): AppError {
  return new AppError('bad_request', { errors: [{ pointer: `${name}:`, code, message }] })
}

function writeMeta(
  row: Row,
  exchange: Exchange,
  input: Record<string, unknown>,
  body: Buffer,
): Partial<Meta> {
  const { headers } = exchange.req
  const given = headers['idempotency-key']
  const meta: Partial<Meta> = {}
  exchange.isRepeatable = row.repeats === 'freely'
  if (/(?:^|,)\s*respond-async\s*(?:$|[,;])/i.test(String(headers.prefer ?? ''))) {
    meta.respondAsync = true
  }
  if (typeof given === 'string' && row.method === 'POST' && !row.repeats) {
    const key = bareKey(given)
    if (!IDEMPOTENCY_KEY.test(key)) throw badHeader('Idempotency-Key', 'invalid_format', KEY_RULE)
    if (holdsKey(key)) throw badHeader('Idempotency-Key', 'secret', KEY_IS_SECRET)
    const bodyHash = createHash('sha256').update(body).digest('hex')
    meta.idempotency = { key, scope: `POST ${addressOf(row, input)}`, body_hash: bodyHash }
    exchange.isRepeatable = true
  }
  return meta
}

/** Where this was sent, the same however it was spelled: `%65`, a slash at its end, capitals. */
function addressOf({ path }: Row, input: Record<string, unknown>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => String(input[name])).toLowerCase()
}

const STATUS_OF = { created: 201, accepted: 202, ok: 200 }

async function sendWritten(
  core: Core,
  exchange: Exchange,
  answered: Answered,
  warnings: Warning[],
): Promise<void> {
  const { meta } = answered
  const plain = sealWith(answered, warnings.length > 0 ? { warnings } : {})
  const headers = ['Cache-Control', PRIVATE_CACHE, 'Vary', VARY]
  if (meta.location) headers.push('Location', new URL(meta.location, core.config.baseUrl).href)
  if (meta.replayed) headers.push('Idempotent-Replayed', 'true')
  if (meta.version !== undefined) {
    headers.push('ETag', quotedTag(entityTag(plain, meta.version), 'identity'))
  }
  const coding = chooseCoding(exchange.req.headers['accept-encoding'] as string | undefined)
  let body = plain
  if (coding !== 'identity' && plain.length >= COMPRESSIBLE_BYTES_MIN) {
    body = await compress(plain, coding)
    headers.push('Content-Encoding', coding)
  }
  sendOnce(exchange, STATUS_OF[meta.outcome ?? 'ok'], JSON_TYPE, body, headers)
}
