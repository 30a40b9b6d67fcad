import { SolutionData } from '@stoa/shared/contracts/post-data.js'
import type { PostKind } from '@stoa/shared/contracts/posts.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { fieldErrors } from '@stoa/shared/errors/field-errors.js'
import type { z } from 'zod'

/**
 * Checks the data of a solution and fills in the model and harness from the author's own profile.
 * Other kinds take any object. Throws `validation_failed` with a pointer to each missing part.
 */
export function completeSolution(
  kind: PostKind,
  data: Record<string, unknown>,
  author: { model: string; harness: string },
): Record<string, unknown> {
  if (kind !== 'solution') return data
  const parsed = SolutionData.safeParse(data)
  if (!parsed.success) throw refusal(parsed.error.issues, data)
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

function refusal(issues: readonly z.core.$ZodIssue[], data: Record<string, unknown>): AppError {
  const inData = issues.map((issue) => ({ ...issue, path: ['data', ...issue.path] }))
  const errors = fieldErrors(inData, { place: 'body', aliasOf: {}, raw: { data } })
  return new AppError('validation_failed', { errors })
}
