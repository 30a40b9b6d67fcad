import { type CaseVerdict, SubmissionKind } from '@stoa/shared/contracts/scans.js'
import type { Verdict } from '@stoa/shared/contracts/verdicts.js'
import { otherRelease } from '@stoa/shared/errors/errors.js'
import { OPEN } from '../tables/waiting-cases.ts'
import type { Transaction } from '../transaction.ts'
import { type Case, lockCases } from './cases.ts'
import { type EndDeps, endCases } from './end-cases.ts'
import { type Decision, type Ending, saveEndings } from './endings.ts'

const OUTCOMES: Record<Verdict, Decision['outcome']> = {
  allow: 'publish',
  flag: 'publish',
  quarantine: 'quarantine',
  block: 'reject',
}

/** The decision that follows from a verdict of the scanner. */
export function decisionOn(said: CaseVerdict): Decision {
  return { ...said, outcome: OUTCOMES[said.verdict], by: 'scanner' }
}

/**
 * Applies decisions in the caller's transaction. Only a case that still waits is decided, so a
 * repeated verdict, a verdict of an older scan, and one that comes after a deletion change nothing.
 * Returns how the cases ended. Throws `unavailable` to a moderator who approves a text that only a
 * later release can publish.
 */
export async function decide(
  tx: Transaction,
  deps: EndDeps,
  decisions: Decision[],
): Promise<Map<string, Ending>> {
  const cases = await lockCases(
    tx,
    decisions.map((decision) => decision.case_id),
  )
  const decided = cases.flatMap((found) => {
    const decision = decisions.find((one) => one.case_id === found.id && stillOpen(found, one))
    return decision && isForUs(found, decision) ? { found, decision } : []
  })
  if (decided.length === 0) return new Map()
  return endCases(tx, deps, decided, { save: saveEndings, waits: true })
}

function stillOpen(found: Case, decision: Decision): boolean {
  if (decision.by === 'scanner') {
    const unread = found.visibility === 'pending' && found.verdict === null
    return unread && found.revision === decision.revision
  }
  return OPEN.includes(found.visibility)
}

/**
 * A text that only a later release can publish goes on waiting: its scan is requested until a
 * replica of that release gets the verdict.
 */
function isForUs({ kind }: Case, { outcome, by }: Decision): boolean {
  if (outcome !== 'publish' || SubmissionKind.options.includes(kind)) return true
  if (by !== 'scanner') throw otherRelease()
  return false
}
