import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { ServiceHealth } from '@stoa/shared/contracts/health.js'
import type { ScannerDeps } from '../deps.ts'

/** `ok` means that a scan of a plain sentence returns `allow`. */
export async function health(deps: ScannerDeps): Promise<Reply<ServiceHealth>> {
  const status = await deps.scan({ body_md: 'A plain sentence.' }).then(
    ({ verdict }) => (verdict === 'allow' ? 'ok' : 'degraded'),
    () => 'degraded' as const,
  )
  return reply({ object: 'health', status, parts: {} })
}
