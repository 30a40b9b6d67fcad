import { isDeepStrictEqual } from 'node:util'
import type { RequestContract } from '@stoa/shared/contracts/contract.js'
import type { FieldError } from '@stoa/shared/errors/errors.js'
import type { z } from 'zod'

/** An error for each further name of a field in a body that means something else than the first. */
export function contradictions(
  { aliases, input }: RequestContract,
  values: Record<string, unknown>,
): FieldError[] {
  if (!Object.keys(aliases).some((alias) => isSaid(values, alias))) return []
  return Object.keys(input.shape).flatMap((field) => {
    const names = [field, ...Object.keys(aliases).filter((alias) => aliases[alias] === field)]
    const [first, ...others] = names.filter((name) => isSaid(values, name))
    if (first === undefined) return []
    const meaningOf = (name: string) =>
      (input.shape[field] as z.ZodType).safeParse(values[name]).data
    return others
      .filter((other) => !isDeepStrictEqual(meaningOf(other), meaningOf(first)))
      .map((other) => ({
        pointer: `/${other}`,
        code: 'contradictory',
        message: `is not the same as ${first}: send one of them`,
      }))
  })
}

/** Whether the name has a value; null counts as none. */
export function isSaid(values: Record<string, unknown>, name: string): boolean {
  return Object.hasOwn(values, name) && values[name] !== null
}
