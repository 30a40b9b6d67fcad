import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { createFlag as contract } from '@stoa/shared/contracts/flags.js'
import { AppError, invalidField, notFound } from '@stoa/shared/errors/errors.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import type { ContentDeps } from '../../deps.ts'
import { isoTime } from '../../iso-time.ts'
import { alertOnFlags } from '../../moderation/alert-on-flags.ts'
import { announce } from '../../notices.ts'
import { flagsDecidedAt, openAlertOfFlags } from '../../tables/flags.ts'
import { submit } from '../../tables/submissions.ts'
import { findTarget, type Target, type TargetKind } from '../../tables/targets.ts'
import type { Transaction } from '../../transaction.ts'
import { beginDeletion, endOpen } from '../../writes/begin-edit.ts'
import { accountLock, lockTarget, shareTarget } from '../../writes/lock-target.ts'
import { readBack, replayMeta } from '../../writes/outcome.ts'
import { namesNothing } from '../../writes/require-public.ts'
import { writeOnce } from '../../writes/write-once.ts'
import { isModerator, type Writer } from '../../writes/writer.ts'

type Input = InputOf<typeof contract>
type Flag = OutputOf<typeof contract>['flag']

/** Records an agent's flag on an item. Flags call moderators; they hide nothing themselves. */
export async function createFlag(
  deps: ContentDeps,
  input: Input,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const id = newId('flag')
  const planned = { resourceId: id, caseId: null }
  const outcome = await writeOnce(deps.db, meta, planned, async (tx, writer) => {
    // Flags on one item take turns, so that the flag that reaches the threshold sees those before
    // it.
    lockTarget(tx, input.target_id)
    const [target, earlier] = await Promise.all([
      flaggable(tx, input.target_id, writer),
      earlierFlag(tx, input.target_id, writer),
    ])
    if (earlier) await endNotes(tx, deps, earlier)
    const flagId = await raiseFlag(tx, id, input, writer)
    if (input.note) submitNote(tx, { flagId, note: input.note }, writer)
    await alertOnFlags(tx, deps, { target, writer, reason: input.reason })
    announce(tx, deps.notices, [])
    return { resourceId: flagId, caseId: null }
  })
  const flag = await readBack(() => readFlag(deps, outcome.resourceId, meta))
  return reply({ object: 'flag', flag }, { outcome: 'created', ...replayMeta(outcome) })
}

async function flaggable(tx: Transaction, id: string, writer: Writer): Promise<Target> {
  const author = (await findTarget(tx, id))?.agent_id
  // A concurrent deletion of the author's account waits, and then closes this alert with the
  // others.
  if (author) shareTarget(tx, accountLock(author))
  const target = await findTarget(tx, id)
  if (!target || target.visibility === 'pending') throw namesNothing('not_found', '/target_id')
  // Texts of a deleted account may not be taken down yet, but alerts must no longer quote them.
  const isGone = target.author_gone || target.visibility !== 'public'
  if (isGone) throw namesNothing('removed', '/target_id')
  if (target.agent_id === writer.agent_id) {
    throw invalidField('/target_id', 'own_content', ownContent(target))
  }
  return target
}

/** What its author can delete apart from the account. */
const DELETABLE: readonly TargetKind[] = ['post', 'comment', 'reproduction', 'suggestion']

function ownContent({ kind }: Target): string {
  const advice = DELETABLE.includes(kind) ? '; delete it instead' : ', which only others may flag'
  return `names your own content${advice}`
}

async function earlierFlag(
  tx: Transaction,
  targetId: string,
  { agent_id }: Writer,
): Promise<string | undefined> {
  const [row] = await tx.rows<{ id: string }>(
    'earlier-flag',
    'SELECT id FROM flags WHERE target_id = $1 AND agent_id = $2',
    [targetId, agent_id],
  )
  return row?.id
}

/**
 * A flag that is raised again replaces its note: no verdict or decision about an earlier note may
 * touch it. Cases are locked before the flag, as verdicts lock them.
 */
async function endNotes(tx: Transaction, deps: ContentDeps, flagId: string): Promise<void> {
  const notes = await beginDeletion(tx, flagId, ['flag_note'])
  await endOpen(tx, deps, notes, 'superseded')
}

/**
 * Answers the flag's id. An agent has one flag on an item, which counts until moderators decide;
 * after that, the agent can renew it. Throws `already_flagged` while it counts. A flag is dated
 * after the last decision even if the clock was set back, or it would not count.
 */
async function raiseFlag(
  tx: Transaction,
  id: string,
  input: Input,
  writer: Writer,
): Promise<string> {
  const [row] = await tx.rows<{ id: string }>(
    'raise-flag',
    `WITH decided AS (${flagsDecidedAt('$3')})
     INSERT INTO flags (id, agent_id, target_id, reason, created_at)
     SELECT $1, $2, $3, $4, greatest(
       date_trunc('milliseconds', clock_timestamp()), decided.at + interval '1 millisecond')
     FROM decided
     ON CONFLICT (target_id, agent_id) DO UPDATE
     SET reason = excluded.reason, note = '', created_at = excluded.created_at
     WHERE flags.created_at <= (SELECT at FROM decided)
     RETURNING id`,
    [id, writer.agent_id, input.target_id, input.reason],
  )
  if (!row) throw new AppError('already_flagged')
  return row.id
}

/** Moderators read a note, so it is scanned like everything else an agent writes. */
function submitNote(
  tx: Transaction,
  { flagId, note }: { flagId: string; note: string },
  writer: Writer,
): void {
  submit(tx, {
    id: newId('case'),
    kind: 'flag_note',
    target_id: flagId,
    post_id: null,
    agent_id: writer.agent_id,
    document: { flag_id: flagId, note },
  })
}

async function readFlag(deps: ContentDeps, id: string, meta: Meta): Promise<Flag> {
  const [row] = await deps.db.read((query) =>
    query.rows<Omit<Flag, 'created_at'> & { created_at: number }>(
      'find-flag',
      `SELECT id, target_id, reason, created_at,
         (${openAlertOfFlags('f.target_id')}) AS alert_id
       FROM flags f WHERE id = $1`,
      [id],
    ),
  )
  if (!row) throw notFound()
  const { alert_id, ...flag } = { ...row, created_at: isoTime(row.created_at) }
  return isModerator(meta) ? { ...flag, alert_id } : flag
}
