import type { ErrorRow, Wording } from './error-row.ts'
import { ERRORS, type ErrorCode } from './error-table.ts'
import type { FieldCode } from './field-codes.ts'
import type { Missing } from './missing.ts'

export { ERRORS, type ErrorCode } from './error-table.ts'
export { FIELD_CODES, type FieldCode } from './field-codes.ts'

/**
 * One refused field. `pointer` is a JSON Pointer into the body, `?name` in the query (`?` if the
 * name is not one of ours), `{name}` in the path, or `Name:` for a header. `message` is a sentence
 * of ours; only `received` holds what was sent.
 */
export interface FieldError {
  pointer: string
  code: FieldCode
  message: string
  received?: string
}

export const WARNING_CODES = [
  'unknown_parameter',
  'unknown_field',
  'clamped',
  'ignored',
  'escaped_line_breaks',
  'last_key',
] as const

/** Something that was understood, but perhaps not as it was meant. */
export interface Warning {
  code: (typeof WARNING_CODES)[number]
  name: string
  did_you_mean?: string
  maximum?: number
}

/** What an error may carry in addition to its code, all of it safe to show to the caller. */
export interface ErrorDetails {
  errors?: FieldError[]
  warnings?: Warning[]
  findings?: unknown[]
  case_id?: string
  /** Seconds after which a retry makes sense; becomes `Retry-After`. */
  retry_after_seconds?: number
  /** The current version, for `version_conflict`. */
  current_version?: number
  /** Methods that the address does know, for `method_not_allowed`. */
  allow?: string[]
  /** The endpoint that was probably meant, for `not_found` and `method_not_allowed`. */
  instead?: string | undefined
  /** Whether the same request came before, and this error is its outcome. */
  replayed?: boolean
  /** Which of several reasons of one code applies; picks a wording of the error table. */
  reason?: string
}

/**
 * A failure a caller may see. Anything else that is thrown is a bug and shown as `internal`.
 * It carries a code and structured details only: the sentences come from the table, so stored text
 * and what the caller sent can never reach an error that a model will read.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(code, options)
    this.name = 'AppError'
    this.code = code
    this.details = details
  }

  get status(): number {
    return ERRORS[this.code].status
  }
}

export function isAppError(error: unknown): error is AppError {
  return error instanceof AppError
}

/** Whether the caller is not to blame: something is away, or there is a bug. */
export function isServerError(error: unknown): error is AppError {
  return isAppError(error) && error.status >= 500
}

/**
 * Whether nobody answered: the service asked had no time or no room, or could not be asked at all.
 */
export function isUnanswered(error: unknown): error is AppError {
  return isAppError(error) && (error.code === 'unavailable' || error.code === 'timeout')
}

/** What happened and what to do next, as the table words it for the error's reason. */
export function wordingOf({ code, details }: AppError): Wording {
  const { detail, fix, reasons = {} }: ErrorRow = ERRORS[code]
  const { reason = '' } = details
  const own = Object.hasOwn(reasons, reason) ? reasons[reason] : undefined
  return typeof own === 'string' ? { detail: own, fix } : (own ?? { detail, fix })
}

/** Everything that an error of a code may say has happened; a reason also brings its own advice. */
export function meaningsOf({ detail, reasons = {} }: Pick<ErrorRow, 'detail' | 'reasons'>) {
  const others = Object.values(reasons).map((own) =>
    typeof own === 'string' ? own : `${own.detail} What to do: ${own.fix}`,
  )
  return [detail, ...others]
}

/** Refuses one named field; `pointer` is a JSON Pointer, or `?name` for a query parameter. */
export function invalidField(pointer: string, code: FieldCode, message: string): AppError {
  return new AppError('validation_failed', { errors: [{ pointer, code, message }] })
}

/** 404 for what the address names, with advice where to look for it. */
export function notFound(what?: Missing): AppError {
  return new AppError('not_found', what === undefined ? {} : { reason: what })
}

interface WireError {
  code: string
  /** Missing from a release that does not send it. */
  status?: number
  details?: ErrorDetails
}

/** What crosses the bus: the cause of an error never leaves its process. */
export function errorToWire(error: unknown): Required<WireError> {
  const { code, status, details } = isAppError(error) ? error : new AppError('internal')
  return { code, status, details }
}

/** How long replicas get to reach one release before a request they disagree about is repeated. */
const REPLACED_WITHIN_SECONDS = 30

/**
 * A refusal that this release cannot word becomes `unavailable`: once this process is replaced, a
 * repeat gets the refusal.
 */
export function errorFromWire({ code, status = 500, details = {} }: WireError): AppError {
  if (Object.hasOwn(ERRORS, code)) return new AppError(code as ErrorCode, details)
  if (status >= 500) return new AppError('internal')
  return otherRelease()
}

/** The error for a request or an answer that one side, of another release, does not know. */
export function otherRelease(): AppError {
  const retry = { retry_after_seconds: REPLACED_WITHIN_SECONDS }
  return new AppError('unavailable', { ...retry, reason: 'releases' })
}
