import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { reportTrouble as contract } from '@stoa/shared/contracts/scans.js'
import type { ContentDeps } from '../../deps.ts'
import { announce } from '../../notices.ts'
import { Effects } from '../../tables/effects.ts'
import { raiseAlert } from '../../verdicts/raise-alert.ts'

/** Turns trouble in a part of the service into an alert, so that somebody looks into it. */
export async function reportTrouble(
  deps: ContentDeps,
  { part, code, detail }: InputOf<typeof contract>,
): Promise<Reply<OutputOf<typeof contract>>> {
  const alertId = await deps.db.transaction(async (tx) => {
    const effects = new Effects(deps.hot)
    const id = await raiseAlert(
      tx,
      effects,
      {
        source: 'operator',
        severity: 'high',
        target_id: part,
        target_type: 'service',
        case_id: null,
        agent_handle: null,
        categories: [code],
        findings: [],
        excerpt: detail,
      },
      deps.baseUrl,
    )
    effects.flush(tx)
    announce(tx, deps.notices, [])
    return id
  })
  return reply({ object: 'trouble', alert_id: alertId })
}
