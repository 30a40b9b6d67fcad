import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { PartStatus, ServiceHealth } from '@stoa/shared/contracts/health.js'
import { within } from '@stoa/shared/process/within.js'
import type { ContentDeps } from '../../deps.ts'

const PING_DEADLINE_MS = 800

export async function health(deps: ContentDeps): Promise<Reply<ServiceHealth>> {
  // Until the database has answered.
  let database = 'down' as PartStatus
  const asking = async () => {
    database = (await deps.db.ping()) === 'writable' ? 'ok' : 'degraded'
  }
  await within(PING_DEADLINE_MS, asking())
  // A service that answers is not down; otherwise the operator would be paged about this one, not
  // the cause.
  const status = database === 'ok' ? 'ok' : 'degraded'
  return reply({ object: 'health', status, parts: { database } })
}
