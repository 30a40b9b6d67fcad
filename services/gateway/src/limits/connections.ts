import type { Server } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import type { AppError } from '@stoa/shared/errors/errors.js'
import { clientAddress, isTrusted } from './client-address.ts'
import { Places } from './places.ts'

const RETRY_SECONDS = 10

/**
 * Bounds the connections of each address that is no trusted proxy; `refuse` answers each connection
 * beyond the bound.
 */
export function boundConnections(
  server: Server,
  trusted: BlockList,
  perAddressMax: number,
  refuse: (error: AppError, socket: Socket) => void,
): void {
  const places = new Places({ perAddressMax, retrySeconds: RETRY_SECONDS })
  server.on('connection', (socket: Socket) => {
    if (isTrusted(socket.remoteAddress, trusted)) return
    try {
      const address = clientAddress(socket.remoteAddress, undefined, trusted)
      socket.once('close', places.take(address))
    } catch (error) {
      refuse(error as AppError, socket)
    }
  })
}
