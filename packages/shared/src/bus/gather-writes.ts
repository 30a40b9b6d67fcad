import type { Socket } from 'node:net'
import type { NatsConnection } from '@nats-io/nats-core'
import { socketOf } from './socket-of.ts'

/**
 * Makes all messages published in one turn of the event loop leave in one packet: the requests of
 * all sockets that were readable in that turn, and the answers to a batch. The client alone would
 * flush at the end of each promise. If its socket cannot be found, messages leave as the client
 * sends them.
 */
export function gatherWrites(nc: NatsConnection): () => void {
  return () => {
    const socket = socketOf(nc)
    if (!socket?.cork || !socket.uncork || (socket.writableCorked ?? 1) > 0) return
    const corked = socket as Socket
    corked.cork()
    setImmediate(() => corked.uncork())
  }
}
