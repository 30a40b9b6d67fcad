import type { IncomingMessage } from 'node:http'
import { AppError } from '@stoa/shared/errors/errors.js'
import { readBytes } from '../http/json-body.ts'
import { parseFields } from '../http/query.ts'

/** In a form, a note of 2,000 characters takes up to 18,000 bytes, and 50 ids take 2,000. */
const FORM_BYTES_MAX = 32 * 1_024

/**
 * Whether a page of this site sent the form. Browsers say so in Sec-Fetch-Site, and older ones name
 * the page's origin; a request with neither comes from no browser of a moderator.
 */
export function isFromThisSite({ headers }: IncomingMessage, baseUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin === new URL(baseUrl).origin
}

/**
 * Fields of an HTML form, a repeated one as a list. Throws `unsupported_media_type`,
 * `payload_too_large`, or `bad_request` if it is cut off.
 */
export async function readForm(req: IncomingMessage): Promise<Record<string, unknown>> {
  const [type = ''] = (req.headers['content-type'] ?? '').toLowerCase().split(';')
  if (type.trim() !== 'application/x-www-form-urlencoded') {
    req.resume()
    throw new AppError('unsupported_media_type')
  }
  const bytes = await readBytes(req, FORM_BYTES_MAX)
  return parseFields(bytes.toString())
}
