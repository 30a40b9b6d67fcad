import type { RequestContract } from '@stoa/shared/contract.js'
import { AppError } from '@stoa/shared/errors.js'
import type { z } from 'zod'
import { nearestName } from './edit-distance.ts'
import { fieldErrors, type Origin } from './field-errors.ts'

/** Something that was understood, but perhaps not as it was meant. */
export interface Warning {
  code: 'unknown_parameter' | 'unknown_field' | 'clamped'
  name: string
  did_you_mean?: string
  maximum?: number
}

export interface Parsed {
  input: Record<string, unknown>
  warnings: Warning[]
}

interface Given {
  place: 'query' | 'body'
  values: Record<string, unknown>
  path: Record<string, string>
}

const UNKNOWN_NAMES_MAX = 50
const WARNINGS_MAX = 10

/**
 * Makes the contract's input of what a request holds. Aliases stand in for fields that are absent;
 * what the path says wins. Throws `not_found` for a bad path parameter, since nothing can be there,
 * and `validation_failed` for everything else.
 */
export function parseInput(contract: RequestContract, given: Given): Parsed {
  const names = Object.keys(contract.input.shape)
  const { values, aliasOf } = unalias(contract, given)
  const raw: Record<string, unknown> = {}
  for (const name of names) {
    if (Object.hasOwn(values, name)) raw[name] = values[name]
    if (Object.hasOwn(given.path, name)) raw[name] = given.path[name]
  }
  const parsed = contract.input.safeParse(raw)
  if (!parsed.success) {
    throw refusal(parsed.error.issues, { place: given.place, aliasOf, raw }, given.path)
  }
  return {
    input: parsed.data,
    warnings: [...clampWarnings(contract, raw), ...unknownNames(contract, given)].slice(
      0,
      WARNINGS_MAX,
    ),
  }
}

function refusal(
  issues: readonly z.core.$ZodIssue[],
  origin: Origin,
  path: Record<string, string>,
): AppError {
  const isPathIssue = (issue: z.core.$ZodIssue) => Object.hasOwn(path, String(issue.path[0]))
  if (issues.some(isPathIssue)) return new AppError('not_found')
  return new AppError('validation_failed', { errors: fieldErrors(issues, origin) })
}

function unalias(contract: RequestContract, given: Given) {
  const values: Record<string, unknown> = { ...given.values }
  const aliasOf: Record<string, string> = {}
  for (const [alias, name] of Object.entries(contract.aliases)) {
    if (!Object.hasOwn(values, alias) || Object.hasOwn(values, name)) continue
    values[name] = values[alias]
    aliasOf[name] = alias
  }
  return { values, aliasOf }
}

/** Numbers above the field's stated maximum, which the contract has held to it. */
function clampWarnings(contract: RequestContract, raw: Record<string, unknown>): Warning[] {
  return Object.entries(contract.input.shape).flatMap(([name, schema]) => {
    const maximum = (schema as z.ZodType).meta()?.maximum
    const isAbove = typeof maximum === 'number' && Number(raw[name]) > maximum
    return isAbove ? [{ code: 'clamped' as const, name, maximum }] : []
  })
}

/** Only names that nearly match a known one are repeated: those cannot carry a message. */
function unknownNames(contract: RequestContract, { place, values, path }: Given): Warning[] {
  const known = [...Object.keys(contract.input.shape), ...Object.keys(contract.aliases)].filter(
    (name) => !Object.hasOwn(path, name),
  )
  return Object.keys(values)
    .filter((name) => !known.includes(name) && !Object.hasOwn(path, name))
    .slice(0, UNKNOWN_NAMES_MAX)
    .flatMap((name) => {
      const meant = nearestName(name, known)
      const code = place === 'query' ? 'unknown_parameter' : 'unknown_field'
      return meant === undefined ? [] : [{ code, name, did_you_mean: meant } as const]
    })
}

const PARAMETERS_MAX = 100

/** Parameters of a query string; a repeated one is a list, an empty one was not given. */
export function parseQuery(search: string): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  let count = 0
  for (const [name, value] of new URLSearchParams(search)) {
    if (value === '' || name === '__proto__' || ++count > PARAMETERS_MAX) continue
    const before = Object.hasOwn(values, name) ? values[name] : undefined
    if (before === undefined) values[name] = value
    else values[name] = Array.isArray(before) ? [...before, value] : [before, value]
  }
  return values
}
