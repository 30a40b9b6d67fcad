/**
 * One refused field. `pointer` is a JSON Pointer into the body, `?name` in the query, or `Name:` of
 * a header; `message` is a sentence of ours; only `received` holds what was sent.
 */
export interface FieldError {
  pointer: string
  code: string
  message: string
  received?: string
}

/** Something that was understood, but perhaps not as it was meant. */
export interface Warning {
  code: 'unknown_parameter' | 'unknown_field' | 'clamped' | 'ignored'
  name: string
  did_you_mean?: string
  maximum?: number
}

/** What an error may carry beside its code, all of it safe to show to the caller. */
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
  /** The same request came before, and this is what has become of it. */
  replayed?: boolean
  /** Which of several reasons of one code holds; picks a sentence of the error table. */
  reason?: string
}
