import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { ServiceHealth } from '@stoa/shared/contracts/health.js'
import type { ContentDeps } from '../../deps.ts'

const PING_DEADLINE_MS = 800

export async function health(deps: ContentDeps): Promise<Reply<ServiceHealth>> {
  const late = new Promise<'down'>((resolve) => {
    setTimeout(() => resolve('down'), PING_DEADLINE_MS).unref()
  })
  const asked = deps.db.ping().then(
    (takes) => (takes === 'writable' ? 'ok' : 'degraded'),
    () => 'down' as const,
  )
  const database = await Promise.race([asked, late])
  // Whoever answers is not down, or the page would be about what stands behind the cause.
  const status = database === 'ok' ? 'ok' : 'degraded'
  return reply({ object: 'health', status, parts: { database } })
}
