import type {
  CaseVisibility,
  Finding,
  NextAction,
  Visibility,
} from '@stoa/shared/contracts/common.js'
import type { Submission } from '../tables/submissions.ts'
import { type Judged, nextAction } from './next-action.ts'

/** How a thing stands, for callers that see it although strangers do not. */
export interface Standing {
  visibility: Visibility
  case_id: string
  reasons: Finding[]
  next_action: NextAction
}

/** Why a thing is not public, and what its author can do about it. */
export function standingOf(
  submission: Judged & Pick<Submission, 'writer_findings'>,
  baseUrl: string,
): Standing {
  return {
    visibility: publicWord(submission.visibility),
    case_id: submission.id,
    reasons: submission.writer_findings,
    next_action: nextAction(submission, baseUrl),
  }
}

/** The visibility that readers see: `superseded` is only a state of cases. */
export function publicWord(visibility: CaseVisibility): Visibility {
  return visibility === 'superseded' ? 'deleted' : visibility
}
