import { setTimeout as pause } from 'node:timers/promises'
import { errors, type NatsConnection } from '@nats-io/nats-core'
import { connect } from '@nats-io/transport-node'
import type { ServiceName } from '../contracts/contract.ts'
import { splitUrl } from '../process/bus-address.mjs'
import { type Logger, onceIn } from '../process/logger.ts'
import { socketOf } from './socket-of.ts'

const CONNECT_TIMEOUT_MS = 5_000
const RETRY_MS = 250
const WARN_EVERY_MS = 10_000
/**
 * A server that left two pings unanswered is given up before a third: after 8 to 12 seconds, when
 * writers have given up too.
 */
const PING_EVERY_MS = 4_000
const UNANSWERED_MAX = 2

/**
 * Connects as one service, and waits until a server answers, with a warning in the log now and
 * then. Once connected it reconnects for ever. Throws if a server refuses user and password, or has
 * no TLS where `tls://` asks for it, because waiting does not mend that.
 */
export async function openConnection(
  service: ServiceName,
  url: string,
  log?: Logger,
): Promise<NatsConnection> {
  const address = splitUrl(url)
  const { servers } = address
  const options = {
    ...address,
    name: service,
    inboxPrefix: `_INBOX.${service}`,
    timeout: CONNECT_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY_MS,
    ignoreAuthErrorAbort: true,
    pingInterval: PING_EVERY_MS,
    maxPingOut: UNANSWERED_MAX,
    // Messages are for other connections; the sender has already acted on its own.
    noEcho: true,
  }
  const mayWarn = onceIn(WARN_EVERY_MS)
  for (;;) {
    try {
      const nc = await connect(options)
      void leaveSilent(nc)
      return nc
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal) throw new Error(`the bus at ${servers} ${refusal}`, { cause: error })
      if (mayWarn()) log?.warn({ err: error, servers }, 'waiting for the bus')
      await pause(RETRY_MS)
    }
  }
}

/**
 * The client leaves a server that answers nothing only once its socket has taken all that was sent,
 * and a server that hangs may never read that.
 */
async function leaveSilent(nc: NatsConnection): Promise<void> {
  for await (const { type } of nc.status()) {
    if (type === 'staleConnection') socketOf(nc)?.destroy?.()
  }
}

function refusalOf(error: unknown): string | undefined {
  // A server that is too busy to decide in time reports the same kind of error.
  if (error instanceof errors.AuthorizationError && /violation/i.test(error.message)) {
    return 'refuses the user or the password of NATS_URL'
  }
  const lacksTls = error instanceof errors.ConnectionError && /support 'tls'/.test(error.message)
  return lacksTls ? 'offers no TLS, which NATS_URL asks for by tls://' : undefined
}
