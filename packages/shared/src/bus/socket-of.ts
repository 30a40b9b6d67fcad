import type { Socket } from 'node:net'
import type { NatsConnection } from '@nats-io/nats-core'

/** The socket of a connection, which is not part of the client's interface: it may not be found. */
export function socketOf(nc: NatsConnection): Partial<Socket> | undefined {
  const inside = nc as unknown as { protocol?: { transport?: { socket?: Partial<Socket> } } }
  return inside.protocol?.transport?.socket
}
