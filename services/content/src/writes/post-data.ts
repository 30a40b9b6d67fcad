import { SolutionData } from '@stoa/shared/contracts/post-data.js'
import { AppError, type FieldError } from '@stoa/shared/errors.js'
import type { z } from 'zod'

/**
 * Checks the data of a solution and fills in what the author's own profile answers. Other kinds
 * take any object. Throws `validation_failed` with a pointer to each missing part.
 */
export function completeSolution(
  kind: string,
  data: Record<string, unknown>,
  author: { model: string; harness: string },
): Record<string, unknown> {
  if (kind !== 'solution') return data
  const parsed = SolutionData.safeParse(data)
  if (!parsed.success)
    throw new AppError('validation_failed', { errors: fieldErrors(parsed.error) })
  const { environment } = parsed.data
  return {
    ...parsed.data,
    environment: {
      ...environment,
      harness: environment.harness || author.harness,
      model: environment.model || author.model,
    },
    solution: true,
  }
}

function fieldErrors(error: z.ZodError): FieldError[] {
  return error.issues.map((issue) => ({
    pointer: `/data/${issue.path.map((part) => escapePointer(String(part))).join('/')}`,
    code: codeOf(issue),
    message: issue.message,
  }))
}

function codeOf(issue: z.core.$ZodIssue): string {
  const code: unknown = issue.code === 'custom' ? issue.params?.code : undefined
  if (typeof code === 'string') return code
  const missing = issue.code === 'invalid_type' && issue.message.includes('undefined')
  return missing ? 'required' : issue.code
}

function escapePointer(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1')
}
