import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { PartStatus, ServiceHealth } from '@stoa/shared/contracts/health.js'
import { within } from '@stoa/shared/process/within.js'
import type { ContentDeps } from '../../deps.ts'

const PING_DEADLINE_MS = 800

export async function health(deps: ContentDeps): Promise<Reply<ServiceHealth>> {
  // For as long as it has not answered.
  let database = 'down' as PartStatus
  const asking = async () => {
    database = (await deps.db.ping()) === 'writable' ? 'ok' : 'degraded'
  }
  await within(PING_DEADLINE_MS, asking())
  // Whoever answers is not down, or the page would be about what stands behind the cause.
  const status = database === 'ok' ? 'ok' : 'degraded'
  return reply({ object: 'health', status, parts: { database } })
}
