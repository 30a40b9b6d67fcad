import { createServer, type RequestListener, type Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** More than this many sockets would leave too few file handles for anything else. */
const CONNECTIONS_MAX = 10_000

const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1_024,
  // Node would refuse with an empty body, before anybody is asked.
  requireHostHeader: false,
}

/** A reader that takes nothing of its answers for so long is cut off. Streams send more often. */
const UNREAD_MS_MAX = 60_000

const DRAIN_MS = 5_000

/** A server that bounds what its clients may hold: sockets, and the time they take to send and to read. */
export function openServer(
  listener: RequestListener,
  refuse: (error: Error, socket: Duplex) => void,
  unreadMsMax = UNREAD_MS_MAX,
): Server {
  const server = createServer(LIMITS, listener)
  // Node would refuse an expectation that it does not know with a bare 417.
  server.on('checkExpectation', listener)
  server.on('clientError', refuse)
  server.maxConnections = CONNECTIONS_MAX
  server.timeout = unreadMsMax
  return server
}

export function listen(
  server: Server,
  { HOST, PORT }: { HOST: string; PORT: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(PORT, HOST, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Takes no new connection, lets requests in hand finish, and cuts what is left after a while. */
export async function stopServing(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearTimeout(timer)
}
