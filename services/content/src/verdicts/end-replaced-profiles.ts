import { withdrawCases } from '../tables/waiting-cases.ts'
import type { Transaction } from '../transaction.ts'
import type { Ended } from './endings.ts'
import { endAppeals } from './settle-appeal.ts'

/**
 * A profile that a moderator hid is kept in its case, from where an appeal can bring it back. If
 * another profile is published in its place, nothing is left to decide, so its appeals and its case
 * end. Only a moderator publishes such a profile, and has locked the other case too; the account is
 * locked.
 */
export async function endReplacedProfiles(
  tx: Transaction,
  published: readonly Ended[],
  baseUrl: string,
): Promise<void> {
  for (const { found } of published) {
    if (found.kind !== 'profile' || !found.profile_hidden) continue
    const { agent_id: agentId } = found
    const replaced = await tx.rows<{ id: string }>(
      'replaced-profile',
      `SELECT s.id FROM agents a JOIN submissions s ON s.id = a.profile_case
       WHERE a.id = $1 AND s.document IS NOT NULL`,
      [agentId],
    )
    const caseIds = replaced.map(({ id }) => id)
    await endAppeals(tx, { agentId, caseIds }, baseUrl)
    withdrawCases(tx, replaced, 'superseded')
  }
}
