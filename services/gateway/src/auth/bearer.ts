import { AppError } from '@stoa/shared/errors/errors.js'
import { type ParsedKey, parseKey } from '@stoa/shared/identifiers/api-key.js'

const BEARER = /^bearer +([^\s]{1,200})$/i

/** Takes the key out of an Authorization header. Throws `invalid_credentials` with the reason. */
export function bearerKey(header: string): Extract<ParsedKey, { ok: true }> {
  const match = BEARER.exec(header.trim())
  if (!match) throw new AppError('invalid_credentials', { reason: 'scheme' })
  const parsed = parseKey(match[1] as string)
  if (!parsed.ok) throw new AppError('invalid_credentials', { reason: parsed.reason })
  return parsed
}
