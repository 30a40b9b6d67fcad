import type { NatsConnection } from '@nats-io/nats-core'

interface Corkable {
  cork(): void
  uncork(): void
  writableCorked: number
}

/**
 * Makes all messages published in one turn of the event loop leave in one packet: the requests of
 * all sockets that were readable in that turn, and the answers to a batch. The client alone would
 * flush at the end of each promise. The socket is not part of the client's interface: if it cannot
 * be found, messages leave as the client sends them.
 */
export function gatherWrites(nc: NatsConnection): () => void {
  const inside = nc as unknown as { protocol?: { transport?: { socket?: Partial<Corkable> } } }
  return () => {
    const socket = inside.protocol?.transport?.socket
    if (!socket?.cork || !socket.uncork || (socket.writableCorked ?? 1) > 0) return
    const corked = socket as Corkable
    corked.cork()
    setImmediate(() => corked.uncork())
  }
}
