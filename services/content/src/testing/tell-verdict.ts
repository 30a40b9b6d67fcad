import { jetstream } from '@nats-io/jetstream'
import { connectBus } from '@stoa/shared/bus/bus.js'
import { cloudEvent } from '@stoa/shared/bus/events.js'
import { scanCompleted, type Verdict } from '@stoa/shared/contracts/scans.js'
import type { ContentUnderTest } from './content-under-test.ts'

/**
 * Says a verdict on a case, asked for or not, so often. Verdicts are applied in order: once a later
 * write is public, this one has been dealt with.
 */
export async function tellVerdict(
  content: ContentUnderTest,
  about: { caseId: string; verdict: Verdict; revision?: number; times?: number },
): Promise<void> {
  const bus = await connectBus('scanner', content.nats.urlFor('scanner'))
  for (let i = 0; i < (about.times ?? 1); i++) {
    const said = {
      ...{ case_id: about.caseId, revision: about.revision ?? 1, verdict: about.verdict },
      ...{ pack: 'test-1', categories: [], findings: [], writer_findings: [] },
      ...{ redactions: [], key_hashes: [] },
    }
    const event = cloudEvent(scanCompleted, 'scanner', about.caseId, { verdicts: [said] })
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
