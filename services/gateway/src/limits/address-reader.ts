import type { IncomingMessage } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import type { Logger } from '@stoa/shared/process/logger.js'
import { clientAddress, isTrusted, trustedProxies } from './client-address.ts'

/**
 * Networks in which a peer is probably the operator's own proxy; clients elsewhere may forge the
 * header.
 */
const OWN_NETWORKS = trustedProxies([
  ...['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  ...['::1', 'fc00::/7', 'fe80::/10'],
])

const UNNAMED = 'a proxy that TRUSTED_PROXIES does not name'
const SILENT = 'a proxy that TRUSTED_PROXIES names sends no X-Forwarded-For'

/**
 * Reads the client address of a request; without a proxy's header it is the same for a whole
 * connection. Warns once of a nearby proxy whose header is not trusted, and once of a trusted proxy
 * that sends none: all clients of such a proxy count as one.
 */
export function addressReader(trusted: BlockList, log: Logger): (req: IncomingMessage) => string {
  const known = new WeakMap<Socket, string>()
  const warned = new Set<string>()
  const warn = (what: string, peer: string | undefined) => {
    warned.add(what)
    const proxy = clientAddress(peer, undefined, trusted)
    log.warn({ proxy }, `${what}: its clients count as one`)
  }
  const isUnnamed = (peer: string | undefined) =>
    !isTrusted(peer, trusted) && isTrusted(peer, OWN_NETWORKS)
  return (req) => {
    const { socket, headers } = req
    const peer = socket.remoteAddress
    // Node.js joins all headers of this name.
    const forwarded = headers['x-forwarded-for'] as string | undefined
    if (forwarded !== undefined) {
      if (!warned.has(UNNAMED) && isUnnamed(peer)) warn(UNNAMED, peer)
      return clientAddress(peer, forwarded, trusted)
    }
    let address = known.get(socket)
    if (address === undefined) {
      address = clientAddress(peer, undefined, trusted)
      known.set(socket, address)
      // A health check by the proxy is made for no client, and has no key.
      const isForAnother = headers.authorization !== undefined && isTrusted(peer, trusted)
      if (isForAnother && !warned.has(SILENT)) warn(SILENT, peer)
    }
    return address
  }
}
