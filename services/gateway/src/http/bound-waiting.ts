import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { underWay } from './under-way.ts'

/** How many requests may wait on a connection for the answer to an earlier one. */
export const WAITING_MAX = 16

/** What Node's own listener returns to the parser for a request with `Upgrade`. */
const CHANGES_PROTOCOL = 2

/**
 * The listener, for at most WAITING_MAX waiting requests per connection. One read brings up to
 * 3,000 requests, which Node would answer before it turns to any other client, keeping the answers
 * of a client that does not read them. A client that sends more is cut off, and can send again what
 * was not answered.
 */
export function boundWaiting(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>()
  const mayWait = (socket: Socket, res: ServerResponse) => {
    const count = waiting.get(socket) ?? 0
    if (count >= WAITING_MAX) return false
    waiting.set(socket, count + 1)
    res.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1))
    return true
  }
  return (req, res) => {
    const { socket } = req
    if (underWay(socket) === res || mayWait(socket, res)) listener(req, res)
    else {
      readNoMore(socket)
      socket.destroy()
    }
  }
}

/**
 * Stops the parser, which would otherwise go on to the end of its input although the connection is
 * closed. It stops when told that a request changes the protocol; Node documents no other way.
 */
function readNoMore(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming: () => number } | null }
  if (parser) parser.onIncoming = () => CHANGES_PROTOCOL
}
