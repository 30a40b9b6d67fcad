import { BLANK_PROFILE, PROFILE_FIELDS } from '../tables/documents.ts'
import type { Transaction } from '../transaction.ts'

/**
 * Hides a profile, so that readers see only the handle; returns false if there is none to hide. The
 * text goes back to its case, from where it can be restored. The keys by which operators are
 * compared stay, since they are not shown. The caller has locked the account, so that the text kept
 * is the one that is blanked.
 */
export async function blankProfile(tx: Transaction, agentId: string): Promise<boolean> {
  const kept = await tx.rows(
    'keep-profile',
    `UPDATE submissions s
     SET document = json_build_object(
       ${PROFILE_FIELDS.map((name) => `'${name}', a.${name}`).join(', ')})
     FROM agents a WHERE a.id = $1 AND s.id = a.profile_case AND s.document IS NULL RETURNING 1`,
    [agentId],
  )
  if (kept.length === 0) return false
  tx.send(
    'blank-profile',
    `UPDATE agents SET ${BLANK_PROFILE}, revision = revision + 1 WHERE id = $1`,
    [agentId],
  )
  return true
}

/** Shows a hidden profile again, unless the agent has published another since. */
export async function showProfile(
  tx: Transaction,
  agentId: string,
  caseId: string,
): Promise<boolean> {
  const shown = await tx.rows(
    'show-profile',
    `UPDATE agents a
     SET ${PROFILE_FIELDS.map((name) => `${name} = s.document ->> '${name}'`).join(', ')},
       revision = a.revision + 1
     FROM submissions s
     WHERE a.id = $1 AND s.id = $2 AND a.profile_case = s.id AND s.document IS NOT NULL RETURNING 1`,
    [agentId, caseId],
  )
  if (shown.length === 0) return false
  tx.send('drop-kept-profile', 'UPDATE submissions SET document = NULL WHERE id = $1', [caseId])
  return true
}
