import type { RequestContract } from '@stoa/shared/contracts/contract.js'
import { AppError, type FieldError, isAppError } from '@stoa/shared/errors/errors.js'
import { aliasesGiven, type Given } from './input.ts'

/** The name of a field of the body, and the path within the field. */
const BODY_POINTER = /^\/([^/]*)(.*)$/

/**
 * Names fields in errors as the caller sent them. A service knows each field only by its first
 * name, and neither the alias that stood in for it nor whether it came in the path.
 */
export function inCallersNames(error: unknown, contract: RequestContract, given: Given): unknown {
  if (!isAppError(error) || !error.details.errors) return error
  const aliasOf = aliasesGiven(contract, given)
  const errors = error.details.errors.map((field) => {
    const [, name, rest] = BODY_POINTER.exec(field.pointer) ?? []
    if (name === undefined) return field
    if (Object.hasOwn(given.path, name)) return { ...field, pointer: `{${name}}` }
    const message = messageOf(field, given)
    return { ...field, message, pointer: `/${aliasOf[name] ?? name}${rest}` }
  })
  return new AppError(error.code, { ...error.details, errors }, { cause: error })
}

/** A field that an object lacks may have been sent beside the object, where nothing reads it. */
function messageOf({ code, pointer, message }: FieldError, { values }: Given): string {
  const [name = '', ...around] = pointer.slice(1).split('/').reverse()
  const isBeside = code === 'required' && around.length > 0 && Object.hasOwn(values, name)
  if (!isBeside) return message
  return `${message}, and stands at the top of the body: move it into ${around.reverse().join('.')}`
}
