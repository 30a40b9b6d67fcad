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
 * Replaces the decisions about several alerts, one after the other, each only if it is still the
 * one named with the alert. After a server error for one alert, the alerts after it are left as
 * they are.
 */
export async function decideAgain(
  visit: Visit,
  replaced: readonly { id: string; insteadOf: string }[],
): Promise<EachDecision[]> {
  if (replaced.length > DECIDED_TOGETHER_MAX) throw tooMany()
  const decisions: EachDecision[] = []
  let isAtLoss = false
  for (const { id, insteadOf } of replaced) {
    const error = isAtLoss ? new AppError('unavailable') : await refusalOf(visit, id, insteadOf)
    isAtLoss ||= isServerError(error)
    // Also for a refused alert, so that a moderator who was too late reads who decided it, and how.
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

/** The error for more ids than the boxes of a form may name together. */
export function tooMany(): AppError {
  return invalidField('/ids', 'too_many', `holds more than ${DECIDED_TOGETHER_MAX}`)
}
