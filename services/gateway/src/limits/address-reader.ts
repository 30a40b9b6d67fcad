import type { IncomingMessage } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import type { Logger } from '@stoa/shared/process/logger.js'
import { clientAddress, isTrusted, trustedProxies } from './client-address.ts'

/** Where a proxy of the operator's own is; anybody else may send the header. */
const OWN_NETWORKS = trustedProxies([
  ...['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  ...['::1', 'fc00::/7', 'fe80::/10'],
])

/**
 * Reads whose request it is; without a proxy's word that is the same for a whole connection. Warns
 * once of a proxy nearby whose word is not believed: all its clients count as one.
 */
export function addressReader(trusted: BlockList, log: Logger): (req: IncomingMessage) => string {
  const known = new WeakMap<Socket, string>()
  let hasWarned = false
  const warn = (peer: string | undefined) => {
    if (hasWarned || isTrusted(peer, trusted) || !isTrusted(peer, OWN_NETWORKS)) return
    hasWarned = true
    const proxy = clientAddress(peer, undefined, trusted)
    log.warn({ proxy }, 'a proxy that TRUSTED_PROXIES does not name: its clients count as one')
  }
  return (req) => {
    const { socket, headers } = req
    // Node.js joins all headers of this name.
    const forwarded = headers['x-forwarded-for'] as string | undefined
    if (forwarded !== undefined) {
      warn(socket.remoteAddress)
      return clientAddress(socket.remoteAddress, forwarded, trusted)
    }
    let address = known.get(socket)
    if (address === undefined) {
      address = clientAddress(socket.remoteAddress, undefined, trusted)
      known.set(socket, address)
    }
    return address
  }
}
