import type { RequestContract } from '@stoa/shared/contracts/contract.js'
import { codePoints } from '@stoa/shared/contracts/text.js'
import { AppError, type FieldError, type Warning } from '@stoa/shared/errors/errors.js'
import { fieldErrors } from '@stoa/shared/errors/field-errors.js'
import { z } from 'zod'
import { contradictions, isSaid } from './contradictions.ts'
import { hasEscapedLines } from './escaped-lines.ts'
import { isLost, meantName } from './meant-name.ts'
import { requireNoSecret } from './misplaced-keys.ts'
import { inSnakeCase } from './snake-case.ts'

interface Parsed {
  input: Record<string, unknown>
  warnings: Warning[]
}

export interface Given {
  place: 'query' | 'body'
  values: Record<string, unknown>
  path: Record<string, string>
}

const UNKNOWN_NAMES_MAX = 50
const WARNINGS_MAX = 10

/**
 * Builds the contract's input from a request. Aliases stand in for absent fields; values of the
 * path win. Throws `not_found` for a bad path parameter, because nothing can be there, and
 * `validation_failed` for everything else.
 */
export function parseInput(contract: RequestContract, sent: Given): Parsed {
  requireNoSecret(sent.path)
  const shape = shapeOf(contract)
  const given = { ...sent, values: inSnakeCase(sent.values, shape.known) }
  const { values, aliasOf } = unalias(shape, given.values)
  const raw: Record<string, unknown> = {}
  for (const name of shape.names) {
    if (Object.hasOwn(given.path, name)) raw[name] = given.path[name]
    else if (isGiven(shape, values, name)) raw[name] = values[name]
  }
  const contradicted = contradictions(contract, given.values)
  if (contract.aliasesAgree && contradicted.length > 0) {
    throw new AppError('validation_failed', { errors: contradicted })
  }
  const warnings = [
    ...ignored(contradicted.map(({ pointer }) => pointer.slice(1))),
    ...ignored(contract.ignores?.(given.values) ?? []),
    ...ignored(otherThanPath(given)),
    ...unknownNames(shape, given),
  ]
  warnings.splice(WARNINGS_MAX)
  const parsed = contract.input.safeParse(raw)
  if (parsed.success) {
    requireUnwrapped(shape, given)
    const held = [...clampWarnings(shape, raw), ...cutWarnings(shape, raw, parsed.data)]
    return {
      input: parsed.data,
      warnings: [...held, ...escapedWarnings(given, shape.known), ...warnings],
    }
  }
  const { issues } = parsed.error
  const inPath = issues.filter(({ path }) => Object.hasOwn(given.path, String(path[0])))
  if (inPath.length > 0) {
    const errors = fieldErrors(inPath, { place: 'path', aliasOf: {}, raw })
    throw new AppError('not_found', { reason: 'form', errors })
  }
  const errors = fieldErrors(issues, { place: given.place, aliasOf, raw }).map((error) => {
    const isMissing = error.code === 'required'
    if (isMissing && isWithinMember(given.values, error.pointer.slice(1))) {
      return { ...error, message: `is required, and ${MOVE_TO_TOP}` }
    }
    const unclear = unclearField(contract, raw, aliasOf, error)
    return unclear ? { ...error, message: whatToSend(unclear) } : error
  })
  throw new AppError('validation_failed', { errors, warnings })
}

/** For each field that the caller sent under an alias, that alias. */
export function aliasesGiven(contract: RequestContract, { values }: Given): Record<string, string> {
  const shape = shapeOf(contract)
  return unalias(shape, inSnakeCase(values, shape.known)).aliasOf
}

const MOVE_TO_TOP = 'stands within another member: move it to the top of the body'

/** Whether a field was sent wrapped, as in `{"post": {"title": …}}`. */
function isWithinMember(values: Record<string, unknown>, name: string): boolean {
  const holds = (member: unknown) =>
    typeof member === 'object' && member !== null && Object.hasOwn(member, name)
  return Object.values(values).some(holds)
}

/**
 * Throws `validation_failed` if known fields stand only inside other members: the request would
 * change nothing, and its answer would look like that of an edit.
 */
function requireUnwrapped({ known }: Shape, { place, values, path }: Given): void {
  const names = [...known].filter((name) => !Object.hasOwn(path, name))
  if (place === 'query' || names.some((name) => Object.hasOwn(values, name))) return
  const errors = names
    .filter((name) => isWithinMember(values, name))
    .map(
      (name): FieldError => ({
        pointer: `/${name}`,
        code: 'misplaced',
        message: MOVE_TO_TOP,
      }),
    )
  if (errors.length > 0) throw new AppError('validation_failed', { errors })
}

/**
 * Throws `validation_failed` for fields of the body that stand only in the query, where nothing
 * reads them: a deletion would ignore the version that it was held to.
 */
export function requireNoneInQuery(
  contract: RequestContract,
  { values, path }: Given,
  query: Record<string, unknown>,
): void {
  const { known } = shapeOf(contract)
  const errors = [...known]
    .filter((name) => Object.hasOwn(query, name))
    .filter((name) => !Object.hasOwn(path, name) && !Object.hasOwn(values, name))
    .map(
      (name): FieldError => ({
        pointer: `?${name}`,
        code: 'misplaced',
        message: 'stands in the address: move it to the body',
      }),
    )
  if (errors.length > 0) throw new AppError('validation_failed', { errors })
}

/**
 * The schema of the field of an edit that this error is about, if the field is null, which could
 * mean to keep or to clear it.
 */
function unclearField(
  { input, sets = [] }: RequestContract,
  raw: Record<string, unknown>,
  aliasOf: Record<string, string>,
  { pointer }: FieldError,
): z.core.$ZodType | undefined {
  const unclear = (name: string) => raw[name] === null && pointer === `/${aliasOf[name] ?? name}`
  return input.shape[sets.find(unclear) ?? '']
}

const EMPTY = ['', [], {}]

function whatToSend(field: z.core.$ZodType): string {
  return EMPTY.some((empty) => z.safeParse(field, empty).success)
    ? 'is null, which could mean to keep or to clear it: leave it out to keep it, send it empty to clear it'
    : 'is null and cannot be empty: leave it out to keep it'
}

/** The facts about a contract that are the same for every request to it. */
interface Shape {
  names: string[]
  /** Fields that may be left out, and whose null means only that. */
  nullable: Set<string>
  aliases: [alias: string, name: string][]
  known: Set<string>
  /** Numbers that are reduced to a stated maximum rather than refused. */
  maxima: [name: string, maximum: number][]
  /** Texts that are cut to a stated maximum rather than refused. */
  lengths: [name: string, maximum: number][]
}

const shapes = new WeakMap<RequestContract, Shape>()

function shapeOf(contract: RequestContract): Shape {
  const before = shapes.get(contract)
  if (before) return before
  const fields = Object.entries(contract.input.shape)
  const names = fields.map(([name]) => name)
  const shape: Shape = {
    names,
    nullable: new Set(fields.filter(isLeftOutByNull(contract)).map(([name]) => name)),
    aliases: Object.entries(contract.aliases),
    known: new Set([...names, ...Object.keys(contract.aliases)]),
    maxima: limitsOf(fields, 'maximum'),
    lengths: limitsOf(fields, 'maxLength'),
  }
  shapes.set(contract, shape)
  return shape
}

function isLeftOutByNull({ sets = [] }: RequestContract) {
  return ([name, schema]: [string, z.core.$ZodType]) => {
    const takes = (value: unknown) => z.safeParse(schema, value).success
    return takes(undefined) && !takes(null) && !sets.includes(name)
  }
}

/**
 * Whether a field was given. Clients that fill in all fields, as models do, send null for no value.
 */
function isGiven({ nullable }: Shape, values: Record<string, unknown>, name: string): boolean {
  return Object.hasOwn(values, name) && (values[name] !== null || !nullable.has(name))
}

function limitsOf(fields: [string, unknown][], limit: 'maximum' | 'maxLength') {
  return fields.flatMap(([name, schema]): [name: string, maximum: number][] => {
    const maximum = (schema as z.ZodType).meta()?.[limit]
    return typeof maximum === 'number' ? [[name, maximum]] : []
  })
}

/**
 * The known fields by their first names. Other names are left out, because there may be thousands.
 */
function unalias({ aliases, known }: Shape, given: Given['values']) {
  const values: Record<string, unknown> = {}
  for (const name of known) if (Object.hasOwn(given, name)) values[name] = given[name]
  const aliasOf: Record<string, string> = {}
  for (const [alias, name] of aliases) {
    // A client that has a member for each of the names sends null for the ones it did not fill in.
    const counts = isSaid(values, alias) ? !isSaid(values, name) : !Object.hasOwn(values, name)
    if (!counts || !Object.hasOwn(values, alias)) continue
    values[name] = values[alias]
    aliasOf[name] = alias
  }
  return { values, aliasOf }
}

/** Warns of numbers that were reduced to their maximum, in an input that was accepted. */
function clampWarnings({ maxima }: Shape, raw: Record<string, unknown>): Warning[] {
  return maxima
    .filter(([name, maximum]) => Number(raw[name]) > maximum)
    .map(([name, maximum]) => ({ code: 'clamped', name, maximum }))
}

/** Warns of texts that were cut to their maximum, or of which nothing meaningful is left. */
function cutWarnings(
  { lengths }: Shape,
  raw: Record<string, unknown>,
  input: Record<string, unknown>,
): Warning[] {
  return lengths.flatMap(([name, maximum]): Warning[] => {
    const [given, taken] = [raw[name], input[name]]
    if (typeof given !== 'string' || typeof taken !== 'string') return []
    if (given !== '' && taken === '') return [{ code: 'ignored', name }]
    // A space at the cut is removed too.
    const isCut = codePoints(taken) >= maximum - 1 && codePoints(given.trim()) > maximum
    return isCut ? [{ code: 'clamped', name, maximum }] : []
  })
}

/**
 * Warns of texts with escaped line breaks: they are stored as sent, and read otherwise than meant.
 */
function escapedWarnings({ place, values }: Given, known: Set<string>): Warning[] {
  if (place === 'query') return []
  return Object.entries(values)
    .filter(
      ([name, value]) => known.has(name) && typeof value === 'string' && hasEscapedLines(value),
    )
    .map(([name]) => ({ code: 'escaped_line_breaks', name }))
}

function ignored(names: string[]): Warning[] {
  return names.map((name) => ({ code: 'ignored', name }))
}

/** Fields of the path that the values name too, with another value. */
function otherThanPath({ values, path }: Given): string[] {
  return Object.keys(path).filter((name) => isSaid(values, name) && values[name] !== path[name])
}

/**
 * Warns of names that nearly match a known one, or that are ours: no other name is repeated,
 * because it could carry a message.
 */
function unknownNames({ known }: Shape, { place, values, path }: Given): Warning[] {
  const unknown = Object.keys(values).filter(
    (name) => !known.has(name) && !Object.hasOwn(path, name),
  )
  if (unknown.length === 0) return []
  const candidates = [...known].filter((name) => !Object.hasOwn(path, name))
  const isQuery = place === 'query'
  return unknown.slice(0, UNKNOWN_NAMES_MAX).flatMap((name): Warning[] => {
    const meant = meantName(name, candidates, values)
    const code = isQuery ? 'unknown_parameter' : 'unknown_field'
    if (meant !== undefined) return [{ code, name, did_you_mean: meant }]
    return isQuery && isLost(name, candidates) ? ignored([name]) : []
  })
}
