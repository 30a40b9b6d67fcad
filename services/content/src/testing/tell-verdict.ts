import { jetstream } from '@nats-io/jetstream'
import { connectBus } from '@stoa/shared/bus/bus.js'
import { cloudEvent } from '@stoa/shared/bus/events.js'
import { type CaseVerdict, scanCompleted } from '@stoa/shared/contracts/scans.js'
import type { Verdict } from '@stoa/shared/contracts/verdicts.js'
import type { ContentUnderTest } from './content-under-test.ts'

/**
 * Sends a verdict on a case `times` times, whether a scan was requested or not. Verdicts are
 * applied in order: once a later write that is scanned after it is stored (such as an edit) is
 * public, this verdict has been applied.
 */
export async function tellVerdict(
  content: ContentUnderTest,
  about: { caseId: string; verdict: Verdict; revision?: number; times?: number },
): Promise<void> {
  const { caseId, verdict, revision = 1, times = 1 } = about
  const verdicts = [{ ...SAID, case_id: caseId, revision, verdict }]
  await tell(content, Array(times).fill(verdicts))
}

/** Allows several cases, in this order and in one transaction. */
export async function allowTogether(content: ContentUnderTest, caseIds: string[]): Promise<void> {
  const allowed = { ...SAID, revision: 1, verdict: 'allow' as const }
  await tell(content, [caseIds.map((case_id) => ({ ...allowed, case_id }))])
}

const SAID = {
  pack: 'test-1',
  categories: [],
  findings: [],
  writer_findings: [],
  redactions: [],
  key_hashes: [],
}

async function tell(content: ContentUnderTest, events: CaseVerdict[][]): Promise<void> {
  const bus = await connectBus('scanner', content.nats.urlFor('scanner'))
  for (const verdicts of events) {
    const event = cloudEvent(scanCompleted, 'scanner', verdicts[0]?.case_id ?? '', { verdicts })
    await jetstream(bus.nc).publish(scanCompleted.subject, JSON.stringify(event), {
      msgID: event.id,
    })
  }
  await bus.close()
}

/** The newest case about a thing. */
export async function caseOf(content: ContentUnderTest, targetId: string): Promise<string> {
  const { rows } = await content.db.query(
    'SELECT id FROM submissions WHERE target_id = $1 ORDER BY id DESC LIMIT 1',
    [targetId],
  )
  return rows[0].id
}

interface CaseNow {
  visibility: string
  verdict: string | null
  /** Raised each time that the case was held and scanned again. */
  revision: number
}

export async function caseNow(content: ContentUnderTest, caseId: string): Promise<CaseNow> {
  const { rows } = await content.db.query(
    'SELECT visibility, verdict, revision FROM submissions WHERE id = $1',
    [caseId],
  )
  return rows[0]
}
