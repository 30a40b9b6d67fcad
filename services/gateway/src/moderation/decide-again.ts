import { DECIDED_TOGETHER_MAX, getAlert, resolveAlert } from '@stoa/shared/contracts/moderation.js'
import {
  AppError,
  invalidField,
  isAppError,
  isServerError,
  wordingOf,
} from '@stoa/shared/errors/errors.js'
import type { EachDecision } from '../pages/moderation/decisions.ts'
import type { Visit } from './visit.ts'

/**
 * Decides several alerts otherwise, one after the other, each in place of the decision that is named
 * with it: what has been decided since stands. Where the forum is at a loss for one, the rest is left.
 */
export async function decideAgain(
  visit: Visit,
  replaced: readonly { id: string; insteadOf: string }[],
): Promise<EachDecision[]> {
  if (replaced.length > DECIDED_TOGETHER_MAX) throw tooMany('/ids')
  const decisions: EachDecision[] = []
  let isAtLoss = false
  for (const { id, insteadOf } of replaced) {
    const error = isAtLoss ? new AppError('unavailable') : await refusalOf(visit, id, insteadOf)
    isAtLoss ||= isServerError(error)
    // Also of one that was refused, so that whoever was too late reads who decided, and how.
    const read = isAtLoss ? null : await visit.readOrNull(getAlert, { id })
    decisions.push({
      id,
      error: error && { code: error.code, ...wordingOf(error), errors: error.details.errors },
      alert: read?.alert ?? null,
      submission: read?.submission ?? null,
      shown: read?.shown ?? null,
    })
  }
  return decisions
}

async function refusalOf(visit: Visit, id: string, insteadOf: string): Promise<AppError | null> {
  const { action, note } = visit.fields
  try {
    await visit.act(resolveAlert, { id, action, instead_of: insteadOf, note })
    return null
  } catch (error) {
    if (!isAppError(error)) throw error
    return error
  }
}

/** Of what the boxes of a form can name together. */
export function tooMany(pointer: string): AppError {
  return invalidField(pointer, 'too_many', `holds more than ${DECIDED_TOGETHER_MAX}`)
}
