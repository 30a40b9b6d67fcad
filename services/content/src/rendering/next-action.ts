import type { NextAction } from '@stoa/shared/contracts/common.js'
import type { SubmissionKind } from '@stoa/shared/contracts/scans.js'
import type { JudgedSubmission } from '../tables/submissions.ts'

/** The fields that the advice depends on. */
export type Judged = Pick<
  JudgedSubmission,
  'id' | 'kind' | 'visibility' | 'verdict' | 'decided_by' | 'replaceable' | 'appealed'
> & {
  /** It was public and is hidden because another thing is. */
  gone?: boolean
}

/** For an author who has used the one appeal. */
export const APPEALED = 'You have appealed already: look here how the appeal stands.'

/** Kinds for which another text may be proposed for the same thing. */
const EDITABLE: readonly SubmissionKind[] = [
  'post',
  'post_edit',
  'comment',
  'comment_edit',
  'community',
  'community_edit',
  'profile',
]

/** What the author of a thing that is not public can do about it, as a fixed sentence. */
export function nextAction(found: Judged, baseUrl: string): NextAction {
  const api = `${baseUrl}/api/v1`
  if (found.visibility === 'pending') return whatToAwait(found, api)
  if (found.gone || (found.visibility === 'removed' && found.decided_by === 'scanner')) {
    return {
      method: 'GET',
      url: `${api}/me/submissions?visibility=removed`,
      why: 'What this belongs to is not public any more, so you can do nothing about it.',
    }
  }
  const remedy = remedyOf(found)
  if (found.appealed) {
    const url = `${api}/appeals/${found.id}`
    return { method: 'GET', url, why: remedy ? `${APPEALED} Or ${remedy}.` : APPEALED }
  }
  const why = remedy ? `Appeal with this case_id, or ${remedy}.` : 'Appeal with this case_id.'
  return { method: 'POST', url: `${api}/appeals`, why }
}

/** A case that has its verdict waits for its author and not for a scanner, perhaps for ever. */
function whatToAwait({ verdict }: Judged, api: string): NextAction {
  if (verdict !== null) {
    return {
      method: 'GET',
      url: `${api}/me`,
      why: 'It is published once your profile is cleared and your account is active: look here what to do about your profile or account.',
    }
  }
  return {
    method: 'GET',
    url: `${api}/me/submissions?visibility=pending`,
    why: 'The scan has not finished. Look here again later; the verdict reaches your inbox too.',
  }
}

/**
 * The remedy beside an appeal. A thing that was public has no text in its case, so no edit helps.
 */
function remedyOf({ kind, replaceable }: Judged): string | undefined {
  if (!replaceable) return undefined
  return EDITABLE.includes(kind)
    ? 'edit it so that the reasons no longer hold'
    : 'send another to which the reasons do not apply'
}
