import type { AlertStandings } from '@stoa/shared/contracts/alert-texts.js'
import type { Alert } from '@stoa/shared/contracts/moderation.js'

/** What a decision did, in words; the key stands in the address that the decision leads to. */
const OUTCOMES = {
  approved: 'Approved: the text is public.',
  kept: 'Not published yet: its post, or the text that it would replace, is hidden. Approve it again when that is public again.',
  refused: 'Refused: the text is not public.',
  removed: 'Removed: the text is gone from every page.',
  quarantined: 'Quarantined: its author sees the text, the public does not.',
  'edit-refused': 'Refused: nobody sees this edit, and the public text stays as it was.',
  'edit-held': 'Held: the edit still waits, and the public text stays as it was.',
  'note-approved': 'Approved: moderators read the note with its flag. It is never public.',
  'note-refused': 'Refused: nobody reads the note. The flag stays.',
  'note-held': 'Held: the note still waits.',
  reinstated: 'Approved: the account may write again.',
  dismissed: 'Dismissed: everything stays as it was.',
  denied: 'Dismissed: the appeal is denied, and everything stays as it was.',
  flagged: 'Flagged: an alert about it waits for a decision.',
  'each-flagged': 'Flagged: an alert about each waits for a decision.',
  replaced: 'Closed, and nothing changed: the author had replaced this text.',
  deleted: 'Closed, and nothing changed: the author had deleted this text.',
  unchanged: 'Closed, but the text is not public, because its post is not.',
} as const

type Outcome = keyof typeof OUTCOMES

export function outcomeSentence(outcome: string): string | undefined {
  return Object.hasOwn(OUTCOMES, outcome) ? OUTCOMES[outcome as Outcome] : undefined
}

interface Resolved extends AlertStandings {
  readonly alert: Pick<Alert, 'resolution' | 'source'>
}

/** What the decision about an alert did, according to the forum's answer. */
export function outcomeOf({ alert, submission, shown }: Resolved): Outcome {
  const { resolution } = alert
  if (resolution === null) return 'dismissed'
  if (resolution === 'dismiss') return alert.source === 'appeal' ? 'denied' : 'dismissed'
  if (submission?.visibility === 'superseded') return 'replaced'
  if (submission?.visibility === 'deleted' || shown?.visibility === 'deleted') return 'deleted'
  if (submission?.kind === 'flag_note') return NOTES[resolution]
  if (alert.source === 'appeal' && !submission) return 'reinstated'
  return BY_ACTION[resolution]({ submission, shown })
}

type Action = 'approve' | 'remove' | 'quarantine'

const NOTES: Record<Action, Outcome> = {
  approve: 'note-approved',
  remove: 'note-refused',
  quarantine: 'note-held',
}

const BY_ACTION: Record<Action, (standings: AlertStandings) => Outcome> = {
  approve: ({ submission, shown }) => {
    if (submission?.visibility === 'quarantined') return 'kept'
    return shown?.visibility === 'public' ? 'approved' : 'unchanged'
  },
  remove: ({ submission, shown }) => {
    if (submission?.visibility === 'rejected') {
      return shown?.visibility === 'public' ? 'edit-refused' : 'refused'
    }
    return shown?.visibility === 'removed' ? 'removed' : 'unchanged'
  },
  quarantine: ({ submission, shown }) => {
    if (shown?.visibility === 'quarantined') return 'quarantined'
    if (submission?.visibility !== 'quarantined') return 'unchanged'
    return shown?.visibility === 'public' ? 'edit-held' : 'quarantined'
  },
}
