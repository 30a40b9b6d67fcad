import { hash } from 'node:crypto'
import {
  AppError,
  type FieldCode,
  type FieldError,
  invalidField,
  type Warning,
} from '@stoa/shared/errors/errors.js'
import { holdsKey } from '@stoa/shared/identifiers/api-key.js'
import {
  bareKey,
  IDEMPOTENCY_KEY,
  NO_IDEMPOTENCY_KEY,
} from '@stoa/shared/identifiers/idempotency-key.js'
import type { z } from 'zod'
import { type Answered, sealWith, withWarnings } from '../cache/seal-with.ts'
import { type Core, settle } from '../core.ts'
import { inCallersNames } from '../http/callers-names.ts'
import { COMPRESSIBLE_BYTES_MIN, chooseCoding, compress } from '../http/coding.ts'
import { isSaid } from '../http/contradictions.ts'
import { entityTag, quotedTag, versionFromIfMatch } from '../http/etag.ts'
import { type Exchange, metaFor, PRIVATE_CACHE, sendOnce, VARY } from '../http/exchange.ts'
import { parseInput, requireNoneInQuery } from '../http/input.ts'
import { readJsonBody } from '../http/json-body.ts'
import { JSON_TYPE } from '../http/media-types.ts'
import { queryOf } from '../http/path-of.ts'
import { preferencesIn } from '../http/preferences.ts'
import { parseQuery } from '../http/query.ts'
import { inShort, minimalOf } from '../routes/minimal.ts'
import { askRow, filledPath, knowsVersions, type Row, takesIdempotencyKey } from '../routes/row.ts'

/** Answers a write after everything it outdates has left this gateway's cache. */
export async function serveWrite(core: Core, row: Row, exchange: Exchange): Promise<void> {
  // Before the body: an error in a header stays, however the body is corrected.
  const key = idempotencyKeyOf(row, exchange)
  const { value, bytes } = await readJsonBody(exchange.req)
  const given = { place: 'body', values: value, path: exchange.path } as const
  requireNoneInQuery(row.request, given, parseQuery(queryOf(exchange.req.url)))
  const { input, warnings } = parseInput(row.request, given)
  requireVersions(row, value)
  applyIfMatch(row, exchange, input)
  warnings.unshift(...ignoredKey(row, exchange, input))
  const meta = metaFor(exchange, row.request)
  if (preferencesOf(exchange).get('respond-async') === '') meta.respondAsync = true
  if (key !== undefined) {
    const scope = `POST ${addressOf(row, input)}`
    meta.idempotency = { key, scope, body_hash: hash('sha256', bytes, 'hex') }
  }
  exchange.isRepeatable = row.method !== 'POST' || row.repeats === 'freely' || key !== undefined
  const answer = await askRow(core, row, input, meta)
    .catch((error: unknown) => {
      throw inCallersNames(error, row.request, given)
    })
    .finally(() => {
      // A write that was not answered in time may still have happened.
      if (exchange.caller) core.recentWriters.set(exchange.caller.agent_id, true)
    })
  // Before the answer is sent: the writer may read at once and must find its write.
  await settle(core, answer.meta.tags ?? [])
  warnings.push(...(answer.meta.warnings ?? []))
  await sendWritten(core, exchange, withWarnings(answer, warnings), minimalAsked(row, exchange))
}

/** Refuses `expected_version` if the write cannot be held to a version: its sender relies on it. */
function requireVersions(row: Row, body: Record<string, unknown>): void {
  if (knowsVersions(row) || !isSaid(body, 'expected_version')) return
  throw invalidField('/expected_version', 'not_applicable', MEANS_NOTHING)
}

/**
 * Takes `expected_version` from If-Match. If both are sent and differ, at least one is not current,
 * so the caller has read something older.
 */
function applyIfMatch(row: Row, exchange: Exchange, input: Record<string, unknown>): void {
  const header = exchange.req.headers['if-match']
  const version = header === undefined ? undefined : versionFromIfMatch(header)
  if (version === undefined) return
  if (!knowsVersions(row)) throw badHeader('If-Match', 'not_applicable', MEANS_NOTHING)
  // The header never was a version. A caller told only to read again would repeat the mistake.
  if (version === null) throw new AppError('version_conflict', { errors: [NO_VERSION] })
  const expected = input.expected_version ?? version
  if (expected !== version) throw new AppError('version_conflict')
  input.expected_version = version
}

/**
 * Client libraries send an Idempotency-Key with every write, so a write that does not take one is
 * not refused. Its sender is warned, and if the write knows versions, pointed to If-Match, which
 * keeps repetitions from taking effect.
 */
function ignoredKey(row: Row, { req }: Exchange, input: Record<string, unknown>): Warning[] {
  if (req.headers['idempotency-key'] === undefined || takesIdempotencyKey(row)) return []
  const lacksVersion = knowsVersions(row) && input.expected_version === undefined
  const instead = lacksVersion ? { did_you_mean: 'If-Match' } : {}
  return [{ code: 'ignored', name: 'Idempotency-Key', ...instead }]
}

const NO_VERSION: FieldError = {
  pointer: 'If-Match:',
  code: 'invalid_format',
  message: 'is neither an ETag nor a version of what you change',
}

const MEANS_NOTHING = 'means nothing for this request: leave it out'

const KEY_IS_SECRET =
  'holds an API key, which belongs in the Authorization header alone: send a random value'

function badHeader(name: string, code: FieldCode, message: string): AppError {
  return new AppError('bad_request', { errors: [{ pointer: `${name}:`, code, message }] })
}

/** The key by which a repetition is recognized. Throws `bad_request` for what cannot be one. */
function idempotencyKeyOf(row: Row, { req }: Exchange): string | undefined {
  const given = req.headers['idempotency-key']
  if (typeof given !== 'string') return undefined
  const key = bareKey(given)
  if (holdsKey(key)) throw badHeader('Idempotency-Key', 'secret', KEY_IS_SECRET)
  if (!takesIdempotencyKey(row)) return undefined
  if (IDEMPOTENCY_KEY.test(key)) return key
  throw badHeader('Idempotency-Key', 'invalid_format', NO_IDEMPOTENCY_KEY)
}

function preferencesOf({ req }: Exchange): Map<string, string> {
  return preferencesIn(req.headers.prefer as string | undefined)
}

/**
 * The path of the request in one spelling, even if sent with `%65`, capitals or a slash at its end.
 */
function addressOf({ path }: Row, input: Record<string, unknown>): string {
  return filledPath(path, (name) => String(input[name])).toLowerCase()
}

function minimalAsked(row: Row, exchange: Exchange): z.ZodObject | null {
  return preferencesOf(exchange).get('return') === 'minimal' ? minimalOf(row) : null
}

const STATUS_OF = { created: 201, accepted: 202, ok: 200 }

/** `minimal` is the part of the answer that the caller asks for; null for all of it. */
async function sendWritten(
  core: Core,
  exchange: Exchange,
  answered: Answered,
  minimal: z.ZodObject | null,
): Promise<void> {
  const { meta } = answered
  const whole = sealWith(answered)
  const headers = ['Cache-Control', PRIVATE_CACHE, 'Vary', VARY]
  if (meta.location) headers.push('Location', new URL(meta.location, core.config.baseUrl).href)
  if (meta.replayed) headers.push('Idempotent-Replayed', 'true')
  if (meta.version !== undefined) {
    // The tag of the whole answer, even if only a part of it is sent.
    headers.push('ETag', quotedTag(entityTag(whole, meta.version), 'identity'))
  }
  let plain = whole
  if (minimal) {
    plain = sealWith({ ...answered, json: inShort(minimal, answered.json) })
    headers.push('Preference-Applied', 'return=minimal')
  }
  const coding = chooseCoding(exchange.req.headers['accept-encoding'])
  let body = plain
  if (coding !== 'identity' && plain.length >= COMPRESSIBLE_BYTES_MIN) {
    body = await compress(plain, coding)
    headers.push('Content-Encoding', coding)
  }
  sendOnce(exchange, STATUS_OF[meta.outcome ?? 'ok'], JSON_TYPE, body, headers)
}
