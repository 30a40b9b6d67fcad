import type { AlertAction } from '@stoa/shared/contracts/moderation.js'
import { invalidField } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../deps.ts'
import { announceDecided } from '../notices.ts'
import type { AlertRow } from '../tables/alerts.ts'
import { takeBackNote } from '../tables/flags.ts'
import { deliver } from '../tables/inbox.ts'
import { DECIDED_BEHIND_APPEALS } from '../tables/is-appealed.ts'
import type { Submission } from '../tables/submissions.ts'
import type { Hidden, Target } from '../tables/targets.ts'
import type { Transaction } from '../transaction.ts'
import { decide } from '../verdicts/decide.ts'
import type { Decision } from '../verdicts/endings.ts'
import { hide } from '../visibility/hide.ts'
import { restore } from '../visibility/restore.ts'
import { lockSuspended, reinstate } from './accounts.ts'
import type { Subject } from './subject.ts'

interface Action {
  action: AlertAction
  /** Handle of the moderator. */
  by: string
}

/**
 * Does to the locked subject of an alert what the moderator decided. Only an appeal of a suspension
 * changes an account, and it changes no content. The caller must send all later statements without
 * awaiting them.
 */
export async function applyAction(
  tx: Transaction,
  deps: ContentDeps,
  { alert, subject }: { alert: AlertRow; subject: Subject },
  action: Action,
): Promise<void> {
  if (subject.is === 'account') await decideAccount(tx, deps, alert, action)
  else if (subject.is === 'case') await decideCase(tx, deps, subject.found, action)
  else if (subject.is === 'target') await decideTarget(tx, deps, subject.target, action)
}

const OUTCOMES: Record<'approve' | 'remove' | 'quarantine', Decision['outcome']> = {
  approve: 'publish',
  remove: 'reject',
  quarantine: 'quarantine',
}

async function decideCase(
  tx: Transaction,
  deps: ContentDeps,
  found: Submission,
  { action, by }: Action,
): Promise<void> {
  if (action === 'dismiss') return
  // A public text that is still decided by its case is always a note.
  if (found.visibility === 'public') {
    if (action === 'approve') return
    takeBackNote(tx, found)
  }
  const endings = await decide(tx, deps, [
    {
      case_id: found.id,
      outcome: OUTCOMES[action],
      by,
      verdict: found.verdict ?? 'allow',
      pack: found.pack,
      categories: found.categories,
      findings: found.findings,
      writer_findings: found.writer_findings,
      redactions: [],
      key_hashes: [],
    },
  ])
  announceDecided(tx, deps.notices, [...endings.keys()])
}

const HIDDEN_AS: Record<'remove' | 'quarantine', Hidden> = {
  remove: 'removed',
  quarantine: 'quarantined',
}

async function decideTarget(
  tx: Transaction,
  deps: ContentDeps,
  target: Target,
  { action, by }: Action,
): Promise<void> {
  if (action === 'dismiss') return
  const changed =
    action === 'approve'
      ? await restore(tx, deps, target)
      : await hide(tx, deps, target, HIDDEN_AS[action])
  if (!changed) return
  const visibility = action === 'approve' ? 'public' : HIDDEN_AS[action]
  if (target.case_id) {
    tx.send(
      'decide-public-case',
      `UPDATE submissions s SET visibility = $2, decided_by = $3,
         decided_at = ${DECIDED_BEHIND_APPEALS}
       WHERE id = $1`,
      [target.case_id, visibility, by],
    )
  }
  if (!target.agent_id) return
  deliver(tx, [
    {
      agent_id: target.agent_id,
      type: 'decision',
      post_id: target.post_id,
      target_id: target.id,
      case_id: target.case_id,
      visibility,
    },
  ])
}

async function decideAccount(
  tx: Transaction,
  deps: ContentDeps,
  alert: AlertRow,
  { action }: Action,
): Promise<void> {
  if (action === 'dismiss') return
  if (action !== 'approve') {
    throw invalidField(
      '/action',
      'not_content',
      'must be approve or dismiss, because the alert is about an account',
    )
  }
  const account = await lockSuspended(tx, alert.target_id, alert.case_id ?? '')
  if (account) await reinstate(tx, deps, account)
}
