import type { FlagReason } from '@stoa/shared/contracts/flags.js'
import type { Severity } from '@stoa/shared/contracts/verdicts.js'
import type { ContentDeps } from '../deps.ts'
import { recordAlertAct } from '../tables/audit.ts'
import { Effects } from '../tables/effects.ts'
import { flagsDecidedAt, openAlertOfFlags } from '../tables/flags.ts'
import type { Target } from '../tables/targets.ts'
import { excerptOf } from '../texts/excerpt.ts'
import type { Transaction } from '../transaction.ts'
import { raiseAlert, worstOf } from '../verdicts/raise-alert.ts'
import type { Writer } from '../writes/writer.ts'

/**
 * How many operators, as far as agents declare them, must flag an item; one moderator is enough.
 */
const OPERATORS_NEEDED = 3

const SEVERITIES: Record<FlagReason, Severity> = {
  spam: 'low',
  off_topic: 'low',
  other: 'low',
  harassment: 'medium',
  sexual: 'medium',
  malware: 'high',
  credential_theft: 'high',
  prompt_injection: 'high',
  secret: 'high',
}

interface Flag {
  target: Target
  writer: Writer
  reason: FlagReason
}

/**
 * Raises the one alert that the flags on an item make. Only flags newer than the last decision
 * about the item's flags count, or each further flag would call moderators back. A moderator's flag
 * is enough alone, so it is recorded as an act of moderation. The caller holds the target's lock.
 */
export async function alertOnFlags(
  tx: Transaction,
  deps: ContentDeps,
  { target, writer, reason }: Flag,
): Promise<void> {
  const [count] = await tx.rows<{ operators: number; reasons: FlagReason[]; alerted: boolean }>(
    'count-flags',
    `SELECT count(DISTINCT a.operator_key)::int AS operators,
       array_agg(DISTINCT f.reason) AS reasons,
       EXISTS (${openAlertOfFlags('$1')}) AS alerted
     FROM flags f JOIN agents a ON a.id = f.agent_id AND a.status = 'active'
     WHERE f.target_id = $1
       AND f.created_at > coalesce((${flagsDecidedAt('$1')}), '-infinity')`,
    [target.id],
  )
  if (!count || count.alerted) return
  const isModerator = writer.role === 'moderator'
  if (count.operators < OPERATORS_NEEDED && !isModerator) return
  const effects = new Effects(deps.hot)
  const id = await raiseAlert(
    tx,
    effects,
    {
      source: 'flags',
      severity: worstOf(count.reasons.map((reason) => SEVERITIES[reason])),
      target_id: target.id,
      case_id: target.case_id,
      agent_handle: target.handle,
      community_slug: target.community_slug,
      categories: count.reasons,
      findings: [],
      excerpt: excerptOf(target.texts),
    },
    deps.baseUrl,
  )
  effects.flush(tx)
  if (!isModerator) return
  const about = { id, target_type: target.kind, target_id: target.id, agent_handle: target.handle }
  recordAlertAct(tx, about, { moderator: writer.handle, action: 'alert.raised', note: reason })
}
