import type { Meta } from '@stoa/shared/bus/meta.js'
import type { AlertStandings } from '@stoa/shared/contracts/alert-texts.js'
import type { InputOf } from '@stoa/shared/contracts/contract.js'
import type { Alert, resolveAlert } from '@stoa/shared/contracts/moderation.js'
import { AppError, notFound } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../deps.ts'
import { isoTime } from '../iso-time.ts'
import { announcedTags } from '../notices.ts'
import { renderAlert } from '../rendering/alert.ts'
import {
  type AlertRow,
  findAlert,
  type LockedAlertRow,
  lockAlert,
  lockOpenAlerts,
} from '../tables/alerts.ts'
import { lockOpenAppeal, type OpenAppeal } from '../tables/appeals.ts'
import type { Transaction } from '../transaction.ts'
import { endAlert, settleAppeal } from '../verdicts/settle-appeal.ts'
import { lockTarget } from '../writes/lock-target.ts'
import { readBack } from '../writes/outcome.ts'
import { requireDecider } from '../writes/writer.ts'
import { alertStandings } from './alert-texts.ts'
import { applyAction } from './apply-action.ts'
import { requireImpartial } from './may-decide.ts'
import { openActions, standsAs } from './open-actions.ts'
import { caseOfSubject, lockSubject, type Subject } from './subject.ts'

type Input = InputOf<typeof resolveAlert>

interface Decided extends AlertStandings {
  alert: Alert
  /** Cache tags of what the decision touched. */
  tags: string[]
}

/**
 * Decides an alert in one transaction: alert, target, appeal, log and events together. The same
 * moderator with the same action gets the same answer again.
 *
 * 1. Lock the target, its cases, the alert, then the appeal that is decided along and the other
 *    alerts about the same subject: a decision about one of those could reverse this one.
 * 2. Apply the action, the last step that awaits anything.
 * 3. Send the statements that record the decision; they travel with COMMIT.
 * 4. Read what has become of the text: its author may have replaced or deleted it since.
 */
export async function decideAlert(deps: ContentDeps, input: Input, meta: Meta): Promise<Decided> {
  const { row, tags } = await deps.db.transaction(async (tx) => {
    const { handle } = await requireDecider(tx, meta)
    const { alert, subject } = await lockMatter(tx, input.id)
    if (alert.status === 'resolved' && !(await isDecidedAgain(tx, { alert, subject }, input))) {
      if (isRepeated({ alert, subject }, input, handle)) return { row: alert, tags: [] }
      throw new AppError('already_decided')
    }
    const caseId = caseOfSubject(subject, alert)
    const appeal = await appealDecidedAlong(tx, alert, caseId, input)
    const appealed = appeal?.case_id ?? null
    await requireImpartial(tx, { alert, appealed }, handle)
    const others = appeal ? await othersAbout(tx, { alert, subject, appeal }) : []
    await applyAction(tx, deps, { alert, subject }, { ...input, by: handle })
    if (appeal) {
      const granted = input.action === 'approve'
      settleAppeal(tx, { appeal, granted, by: handle, note: input.note })
    }
    const decision = { resolution: input.action, by: handle, note: input.note }
    for (const other of others) endAlert(tx, other, decision, deps.baseUrl)
    return { row: endAlert(tx, alert, decision, deps.baseUrl), tags: announcedTags(tx) }
  })
  const standings = await readBack(() =>
    deps.db.read((query) => alertStandings(query, row, deps.baseUrl)),
  )
  return { alert: renderAlert(row, deps.baseUrl), ...standings, tags }
}

interface Matter {
  alert: LockedAlertRow
  subject: Subject
}

/**
 * Locks what the alert is about, which never changes and so can be read before. Flags and decisions
 * about one target take turns: a decision covers all flags made before it, and later flags find a
 * resolved alert. Throws `not_found`.
 */
async function lockMatter(tx: Transaction, id: string): Promise<Matter> {
  const seen = await findAlert(tx, id)
  if (!seen) throw notFound('alert')
  lockTarget(tx, seen.target_id)
  const subject = await lockSubject(tx, seen)
  const alert = await lockAlert(tx, id)
  if (!alert) throw notFound('alert')
  return { alert, subject }
}

/**
 * A resolved alert stands unless the request names the decision that it replaces: of two moderators
 * who decide at once, or from an outdated page, neither reverses the other.
 */
async function isDecidedAgain(
  tx: Transaction,
  { alert, subject }: Matter,
  { action, instead_of: replaced }: Input,
): Promise<boolean> {
  if (alert.resolved_at === null || replaced !== isoTime(alert.resolved_at)) return false
  return (await openActions(tx, alert, subject)).includes(action)
}

/**
 * A repetition names no decision, or the one before its own. A moderator who names their own
 * decides again, and must not be told that it is done if it has been reversed since, for example by
 * an appeal.
 */
function isRepeated({ alert, subject }: Matter, { action, ...input }: Input, handle: string) {
  if (alert.resolved_by !== handle || alert.resolution !== action) return false
  const isAnew = alert.resolved_at !== null && input.instead_of === isoTime(alert.resolved_at)
  return !isAnew || standsAs(subject, action)
}

/**
 * An appeal is decided by its own alert, and by any other decision about its case but `dismiss`.
 */
async function appealDecidedAlong(
  tx: Transaction,
  alert: AlertRow,
  caseId: string | null,
  { action }: Input,
): Promise<OpenAppeal | undefined> {
  if (alert.source !== 'appeal' && action === 'dismiss') return undefined
  return lockOpenAppeal(tx, caseId)
}

async function othersAbout(
  tx: Transaction,
  { alert, subject, appeal }: Matter & { appeal: OpenAppeal },
): Promise<LockedAlertRow[]> {
  const targetId = subject.is === 'target' ? subject.target.id : null
  const open = await lockOpenAlerts(tx, appeal.case_id, targetId)
  return open.filter(({ id }) => id !== alert.id)
}
