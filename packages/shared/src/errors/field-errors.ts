import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { severalOf } from '../texts/several.ts'
import type { FieldCode, FieldError } from './errors.ts'

type Issue = z.core.$ZodIssue

type Refused = Pick<FieldError, 'code' | 'message'>

/** How the refused input was sent: names that stood in for others, and where the fields stood. */
interface Origin {
  place: 'query' | 'body' | 'path'
  /** By field name, the alias the caller used for it. */
  aliasOf: Record<string, string>
  raw: Record<string, unknown>
}

const ERRORS_MAX = 50
const RECEIVED_LENGTH_MAX = 64
const SECRET_NAME = /key|secret|token|password|authorization/i
const SECRET_TEXT = /stoa_[0-9A-Za-z]{8}|-----BEGIN/

/** Says for each issue where it is and what is wrong, in our own words. */
export function fieldErrors(issues: readonly Issue[], origin: Origin): FieldError[] {
  return withoutMeasures(issues.slice(0, ERRORS_MAX)).map((issue) => {
    const value = valueAt(origin, issue.path)
    const { code, message } = isRepeated(issue, value, origin) ? REPEATED : describe(issue, value)
    const received = receivedAt(origin, issue.path)
    return {
      pointer: pointerTo(issue.path, origin),
      code,
      message,
      ...(received === undefined ? {} : { received }),
    }
  })
}

/**
 * The library also measures a text given in place of a list, as if the limit were of characters.
 */
function withoutMeasures(issues: readonly Issue[]): Issue[] {
  const mistyped = issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => path)
  const isMistyped = ({ path }: Issue) => mistyped.some((other) => isDeepStrictEqual(other, path))
  return issues.filter((issue) => issue.code === 'invalid_type' || !isMistyped(issue))
}

/**
 * with the name the caller used.
 */
function pointerTo(path: readonly PropertyKey[], origin: Origin): string {
  const [first, ...rest] = path.map(String)
  const name = origin.aliasOf[first ?? ''] ?? first ?? ''
  if (origin.place === 'query') return `?${name}`
  if (origin.place === 'path') return `{${name}}`
  return [name, ...rest]
    .map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
}

const REPEATED: Refused = {
  code: 'repeated',
  message: 'was given more than once and takes one value',
}

/**
 * Whether several values came for a parameter that takes one; a list parameter accepts their type.
 */
function isRepeated({ code }: Issue, value: unknown, { place }: Origin): boolean {
  const isOfType = !['invalid_type', 'invalid_value', 'invalid_union'].includes(code)
  return place === 'query' && Array.isArray(value) && !isOfType
}

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

function describe(issue: Issue, value: unknown): Refused {
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined) return { code: 'required', message: requiredMessage(issue) }
      return {
        code: 'wrong_type',
        message: `is not ${TYPE_NAMES[issue.expected] ?? 'of the right type'}`,
      }
    case 'invalid_value':
      return value === undefined ? missing(issue.values) : notAmong(issue.values, value)
    case 'too_big':
      return bound(issue.origin, 'long', Number(issue.maximum))
    case 'too_small':
      return bound(issue.origin, 'short', Number(issue.minimum))
    case 'invalid_union':
      return describeUnion(issue, value)
    case 'custom':
      return { code: codeIn(issue.params), message: ownMessage(issue) }
    default:
      return { code: 'invalid_format', message: ownMessage(issue) }
  }
}

/** The code that a contract chose: each is declared to be one of the list where it is written. */
function codeIn(params: Record<string, unknown> = {}): FieldCode {
  return (params.code ?? 'invalid') as FieldCode
}

/** Names the choices, so that nobody has to guess wrong to learn them. */
function missing(values: readonly unknown[]): Refused {
  return { code: 'required', message: `is required, one of: ${values.join(', ')}` }
}

function notAmong(values: readonly unknown[], value: unknown): Refused {
  // Otherwise `"1"` would be refused as not one of: 1, -1, 0.
  const isQuoted = values.some((one) => typeof one === 'number' && String(one) === value)
  if (isQuoted) return { code: 'wrong_type', message: 'is not a number' }
  return { code: 'unknown_value', message: `is not one of: ${values.join(', ')}` }
}

const EMPTY = 'is empty'

export function shorterThan(limit: number): string {
  return limit === 1 ? EMPTY : `is shorter than ${limit} characters`
}

function bound(origin: string, word: 'long' | 'short', limit: number): Refused {
  const isLong = word === 'long'
  if (origin === 'string') {
    const message = isLong ? `is longer than ${limit} characters` : shorterThan(limit)
    return { code: `too_${word}`, message }
  }
  if (origin === 'array') {
    const message = `holds ${isLong ? 'more' : 'fewer'} than ${limit} items`
    return { code: `too_${word}`, message: !isLong && limit === 1 ? EMPTY : message }
  }
  return isLong
    ? { code: 'too_large', message: `is more than ${limit}` }
    : { code: 'too_small', message: `is less than ${limit}` }
}

/** The alternative that came furthest explains best: one that accepts the type of the value. */
function describeUnion(issue: Extract<Issue, { code: 'invalid_union' }>, value: unknown): Refused {
  const firsts = issue.errors.flatMap(([first]) => (first ? [first] : []))
  const values = firsts.flatMap((first) => (first.code === 'invalid_value' ? first.values : []))
  if (value === undefined) {
    if (values.length > 0) return missing(values)
    return { code: 'required', message: requiredMessage(issue) }
  }
  if (values.length > 0) return notAmong(values, value)
  const best = firsts.find((first) => first.code !== 'invalid_type') ?? firsts[0]
  return best ? describe(best, value) : { code: 'invalid', message: 'is not valid' }
}

/**
 * Uses a contract's own message only if it says what is required; others are about wrong values.
 */
function requiredMessage({ message }: Issue): string {
  return message.startsWith('is required') ? message : 'is required'
}

/** Sentences of the contracts start in lower case; the library's own may quote the input. */
function ownMessage({ message }: Issue): string {
  return /^[a-z]/.test(message) ? message : 'is not in the right form'
}

function valueAt({ raw, place }: Origin, path: readonly PropertyKey[]): unknown {
  const [name = '', index] = path
  // Indexes count the values of a list after splitting, whether repeated or separated by commas.
  if (place === 'query' && typeof index === 'number') {
    return severalOf(raw[String(name)] as string | string[])[index]
  }
  let value: unknown = raw
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<PropertyKey, unknown>)[part]
  }
  return value
}

/**
 * The input, cut short, unless it could be a secret or is not a plain value. Values in the path are
 * left out: no error repeats them.
 */
function receivedAt(origin: Origin, path: readonly PropertyKey[]): string | undefined {
  if (origin.place === 'path') return undefined
  const value = valueAt(origin, path)
  if (value === undefined || (typeof value === 'object' && value !== null)) return undefined
  return path.some((part) => SECRET_NAME.test(String(part))) ? undefined : receivedText(value)
}

/** A text as an error may repeat it; undefined if it could be a secret. */
export function receivedText(value: unknown): string | undefined {
  const text = String(value).toWellFormed()
  if (SECRET_TEXT.test(text)) return undefined
  return [...text.slice(0, RECEIVED_LENGTH_MAX * 2)].slice(0, RECEIVED_LENGTH_MAX).join('')
}
