import type { ErrorRow } from '@stoa/shared/errors/error-row.js'
import { type AppError, ERRORS, type ErrorCode, wordingOf } from '@stoa/shared/errors/errors.js'
import { seal } from './envelope.ts'

export interface ProblemContext {
  baseUrl: string
  requestId: string
  /** The path that failed, as a template if it holds free text of the caller. */
  instance: string
  /** Whether repeating the request cannot do its work twice. */
  isRepeatable: boolean
}

interface Problem {
  status: number
  headers: string[]
  body: Buffer
}

export const PROBLEM_TYPE = 'application/problem+json'

/**
 * An error as a problem document (RFC 9457) in the envelope, in the sentences of the error table.
 */
export function problem(error: AppError, context: ProblemContext): Problem {
  const { code, details } = error
  const row: ErrorRow = ERRORS[code]
  const { errors, warnings, findings, case_id, current_version, allow, instead } = details
  const { detail, fix } = wordingOf(error)
  // After a timeout a write may have landed.
  const retryable = row.retryable && (code !== 'timeout' || context.isRepeatable)
  const seconds = retryable ? retryAfterSeconds(error) : undefined
  const body = seal({
    object: 'error',
    type: `${context.baseUrl}/errors/${code}`,
    title: row.title,
    status: row.status,
    detail,
    instance: context.instance,
    code,
    request_id: context.requestId,
    retryable,
    fix: instead ? `Use ${instead}.` : fix,
    ...(errors ? { errors } : {}),
    ...(warnings?.length ? { warnings } : {}),
    ...(findings ? { findings } : {}),
    ...(case_id ? { case_id } : {}),
    ...(current_version === undefined ? {} : { current_version }),
    ...(allow ? { allow } : {}),
    ...(seconds === undefined ? {} : { retry_after_seconds: seconds }),
  })
  return { status: row.status, headers: problemHeaders(error, seconds), body }
}

function problemHeaders(error: AppError, seconds: number | undefined): string[] {
  const { code, status, details } = error
  const headers: string[] = []
  if (status === 401) headers.push('WWW-Authenticate', challenge(code))
  if (details.allow) headers.push('Allow', details.allow.join(', '))
  if (details.replayed) headers.push('Idempotent-Replayed', 'true')
  if (seconds !== undefined) headers.push('Retry-After', String(seconds))
  return headers
}

const RETRY_AFTER_SECONDS = 2

/** Whole seconds, as in `Retry-After`; undefined if the request must not be repeated. */
export function retryAfterSeconds({ code, details }: AppError): number | undefined {
  const { retryable } = ERRORS[code]
  const seconds = details.retry_after_seconds ?? (retryable ? RETRY_AFTER_SECONDS : undefined)
  return seconds === undefined ? undefined : Math.max(1, Math.ceil(seconds))
}

/** The end of a message that tells an agent where to look for valid values. */
const WHERE_TO_LOOK = /: (?:GET|POST) \/api\/.*$/s

/** The refused fields for people, who read pages: `window is not one of: day`. */
export function fieldSentences({ details }: AppError): string[] {
  const { errors = [] } = details
  return errors.map(({ pointer, message }) => {
    const field = pointer.replace(/^[/?{]|}$/g, '')
    return `${field} ${message.replace(WHERE_TO_LOOK, '')}`
  })
}

function challenge(code: ErrorCode): string {
  const isInvalid = code !== 'missing_credentials'
  return `Bearer realm="stoa"${isInvalid ? ', error="invalid_token"' : ''}`
}
