import type { IncomingMessage } from 'node:http'
import { codePoints } from '@stoa/shared/contracts/text.js'
import { AppError, type ErrorDetails, invalidField } from '@stoa/shared/errors/errors.js'
import { countMembers, repeatedNames } from './repeated-names.ts'

const BODY_BYTES_MAX = 256 * 1024
const BODY_DEPTH_MAX = 32
/**
 * `data` of 16 KiB has less than 3,000 names. If a body had as many as its bytes allow, all other
 * requests would wait for it.
 */
const BODY_NAMES_MAX = 4_000

interface JsonBody {
  value: Record<string, unknown>
  bytes: Buffer
}

/**
 * Reads the request body as one JSON object; no body at all is an empty object. Throws
 * `unsupported_media_type`, `payload_too_large` or `malformed_json`.
 */
export async function readJsonBody(req: IncomingMessage): Promise<JsonBody> {
  const declared = req.headers['content-length']
  const isEmpty = declared === '0' || (!declared && !req.headers['transfer-encoding'])
  if (isEmpty) return { value: {}, bytes: Buffer.alloc(0) }
  if (Number(declared) > BODY_BYTES_MAX) throw refuse(req, 'payload_too_large')
  const isReadable =
    isJson(req.headers['content-type']) && !isEncoded(req.headers['content-encoding'])
  if (declared && !isReadable) throw refuse(req, 'unsupported_media_type')
  const bytes = await readBytes(req, BODY_BYTES_MAX)
  // A proxy that cannot tell whether a body follows sends an empty one in chunks.
  if (bytes.length === 0) return { value: {}, bytes }
  if (!isReadable) throw refuse(req, 'unsupported_media_type')
  return { value: parseObject(bytes), bytes }
}

/**
 * The error to throw. Discards the rest of the body, so that the client gets to read the answer.
 */
function refuse(req: IncomingMessage, code: 'payload_too_large' | 'unsupported_media_type') {
  req.resume()
  return new AppError(code)
}

function isJson(header: string | undefined): boolean {
  const [type = '', ...parameters] = (header ?? '').toLowerCase().split(';')
  const charset = parameters.find((parameter) => parameter.trim().startsWith('charset='))
  const isUtf8 = charset === undefined || /^\s*charset="?utf-?8"?\s*$/.test(charset)
  return isUtf8 && /^application\/(?:[a-z0-9.-]+\+)?json$/.test(type.trim())
}

function isEncoded(header: string | undefined): boolean {
  return header !== undefined && header.trim().toLowerCase() !== 'identity'
}

/** The whole body. Throws `payload_too_large` beyond `bytesMax`, `bad_request` if it is cut off. */
export function readBytes(req: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // No event tells any more of a client that hung up before this call.
    if (req.destroyed) throw new AppError('bad_request')
    const chunks: Buffer[] = []
    let length = 0
    req.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= bytesMax) chunks.push(chunk)
      else {
        req.removeAllListeners('data')
        reject(refuse(req, 'payload_too_large'))
      }
    })
    req.on('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)),
    )
    req.on('error', () => reject(new AppError('bad_request')))
    req.on('close', () => {
      if (!req.complete) reject(new AppError('bad_request'))
    })
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

const TOO_MANY_NAMES = `holds more than ${BODY_NAMES_MAX} names: leave out those that mean nothing here`

/**
 * Parses a body whose nesting has been bounded first, because the parser recurses. Of two members
 * of one name the parser silently keeps the last, so half of a text would be lost: that is refused.
 * Throws `malformed_json` or `validation_failed`.
 */
export function parseObject(bytes: Buffer): Record<string, unknown> {
  const members = membersWithin(bytes, BODY_DEPTH_MAX)
  if (members === undefined) throw new AppError('malformed_json', { reason: 'depth' })
  if (members > BODY_NAMES_MAX) throw invalidField('', 'too_many_names', TOO_MANY_NAMES)
  const text = decoded(bytes)
  const value = parseText(text)
  if (isObjectAsText(value)) throw new AppError('malformed_json', { reason: 'encoded_twice' })
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('malformed_json', { reason: 'no_object' })
  }
  if (countMembers(value) < members) {
    throw new AppError('validation_failed', { errors: repeatedNames(text) })
  }
  return value as Record<string, unknown>
}

/**
 * Whether the value is an object that was serialized before a client library serialized it again.
 */
function isObjectAsText(value: unknown): boolean {
  return typeof value === 'string' && value.trimStart().startsWith('{')
}

function decoded(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new AppError('malformed_json', { reason: 'encoding' })
  }
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new AppError('malformed_json', whereOf((error as Error).message, text))
  }
}

/**
 * The parser mostly says where a text stops being JSON. Its message quotes the text, so it stays
 * here.
 */
function whereOf(complaint: string, text: string): ErrorDetails {
  const position = positionOf(complaint, text)
  if (position === undefined) return {}
  const message = `stops being JSON at index ${codePoints(text.slice(0, position))}`
  const isControl = complaint.startsWith('Bad control character')
  return {
    ...(isControl ? { reason: 'control_character' } : {}),
    errors: [{ pointer: '', code: 'syntax', message }],
  }
}

function positionOf(complaint: string, text: string): number | undefined {
  if (complaint.includes('end of JSON input')) return text.length
  const position = /at position (\d+)/.exec(complaint)?.[1]
  return position === undefined ? positionOfToken(complaint, text) : Number(position)
}

/** How much text the parser quotes on either side of an unexpected token. */
const QUOTED_LENGTH = 10

/**
 * Finds an unexpected token, whose position the parser does not say. Undefined if it is ambiguous.
 */
function positionOfToken(complaint: string, text: string): number | undefined {
  const [, token, isBehind, quoted, isBefore] =
    /^Unexpected token '(.+?)', (\.\.\.)?"(.*)"(\.\.\.)? is not valid JSON$/s.exec(complaint) ?? []
  if (token === undefined || quoted === undefined) return undefined
  if (isBehind) return placeOf(quoted, text, QUOTED_LENGTH)
  return isBefore ? quoted.length - QUOTED_LENGTH : placeOf(token, text, 0)
}

function placeOf(part: string, text: string, offset: number): number | undefined {
  const index = text.indexOf(part)
  return index === -1 || index !== text.lastIndexOf(part) ? undefined : index + offset
}

const [QUOTE, BACKSLASH, COLON, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x22, 0x5c, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d,
]

/**
 * How many members the objects have, which is the number of colons outside strings; undefined if
 * brackets nest deeper than `max`. One pass, whatever the bytes are.
 */
export function membersWithin(bytes: Uint8Array, max: number): number | undefined {
  let depth = 0
  let members = 0
  let isString = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (isString) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) isString = false
    } else if (byte === QUOTE) isString = true
    else if (byte === COLON) members++
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth++
      if (depth > max) return undefined
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--
  }
  return members
}
