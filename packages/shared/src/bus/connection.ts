import { setTimeout as pause } from 'node:timers/promises'
import { errors, type NatsConnection } from '@nats-io/nats-core'
import { connect } from '@nats-io/transport-node'
import type { ServiceName } from '../contracts/contract.ts'
import { type Logger, onceIn } from '../process/logger.ts'

const CONNECT_TIMEOUT_MS = 5_000
const RETRY_MS = 250
const WARN_EVERY_MS = 10_000

/**
 * Connects as one service, and waits for as long as no server answers, which it says in the log now
 * and then. Once connected it reconnects for ever. Throws where a server refuses user and password:
 * waiting does not mend that.
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
    pingInterval: 10_000,
    // What a process tells is for others; it has acted on it already.
    noEcho: true,
  }
  const mayWarn = onceIn(WARN_EVERY_MS)
  for (;;) {
    try {
      return await connect(options)
    } catch (error) {
      if (isRefusal(error)) {
        throw new Error(`the bus at ${servers} refuses the user or the password of NATS_URL`, {
          cause: error,
        })
      }
      if (mayWarn()) log?.warn({ err: error, servers }, 'waiting for the bus')
      await pause(RETRY_MS)
    }
  }
}

/** A server that is too busy to decide in time says so by the same kind of error. */
function isRefusal(error: unknown): boolean {
  return error instanceof errors.AuthorizationError && /violation/i.test(error.message)
}

/** The client takes user and password apart from the server's address. */
export function splitUrl(url: string): { servers: string[]; user?: string; pass?: string } {
  const parts = url
    .split(',')
    .map((part) => new URL(part.includes('://') ? part : `nats://${part}`))
  const servers = parts.map((part) => `${part.hostname}:${part.port || 4222}`)
  const [first] = parts
  if (!first?.username) return { servers }
  return {
    servers,
    user: decodeURIComponent(first.username),
    pass: decodeURIComponent(first.password),
  }
}
