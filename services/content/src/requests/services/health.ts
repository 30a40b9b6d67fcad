import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { ServiceHealth } from '@stoa/shared/contracts/health.js'
import { within } from '@stoa/shared/process/within.js'
import type { ContentDeps } from '../../deps.ts'

const PING_DEADLINE_MS = 800

export async function health(deps: ContentDeps): Promise<Reply<ServiceHealth>> {
  const state = await within(PING_DEADLINE_MS, deps.db.ping())
  const database = state === undefined ? 'down' : state === 'writable' ? 'ok' : 'degraded'
  // A service that answers is not down; otherwise the operator would be paged about this one, not
  // the cause.
  const status = database === 'ok' ? 'ok' : 'degraded'
  return reply({ object: 'health', status, parts: { database } })
}
