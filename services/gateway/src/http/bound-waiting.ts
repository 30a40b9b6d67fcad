import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { underWay } from './under-way.ts'

/** So many requests may wait on a connection for the answer to one before them. */
export const WAITING_MAX = 16

/** What Node's own listener answers the parser of a request with `Upgrade`. */
const CHANGES_PROTOCOL = 2

/**
 * The listener, for as many requests as may wait. One read brings up to 3,000, which Node would have
 * answered before it turns to anybody else, and would keep their answers for whoever does not read them.
 * Whoever sends too many is hung up on, and sends again what was not answered.
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
 * The parser would go on to the end of what it was given, though the connection is closed. It stops
 * where it is told that a request changes the protocol, and Node says nowhere else how to stop it.
 */
function readNoMore(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming: () => number } | null }
  if (parser) parser.onIncoming = () => CHANGES_PROTOCOL
}
