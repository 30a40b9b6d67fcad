import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { InFlight } from '@stoa/shared/process/in-flight.js'
import { boundWaiting } from './bound-waiting.ts'
import { makeRoom } from './make-room.ts'
import { underWay, whenAnswered } from './under-way.ts'

/** With more sockets than this, too few file handles would be left for anything else. */
const CONNECTIONS_MAX = 10_000
/** From this many connections on, idle ones make room for new ones. */
const CROWDED_FROM = 9_000

const LIMITS = {
  maxHeaderSize: 16 * 1_024,
  // Node would refuse a missing Host with an empty body, before the listener sees the request.
  requireHostHeader: false,
}

const TIMES = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  /** How much the first two may be exceeded; by default Node checks every 30 seconds. */
  connectionsCheckingInterval: 2_000,
}

/** A client that takes nothing of its answers for this long is cut off. Streams send more often. */
const UNREAD_MS_MAX = 60_000

/** How long a client may take to learn that its connection must not be used again. */
const ON_ITS_WAY_MS = 250

/** How long a refused client may go on sending, so that it gets to read why it was refused. */
const LINGER_MS = 2_000

const DRAIN_MS = 5_000

interface Bounds extends Record<keyof typeof TIMES, number> {
  unreadMsMax: number
  lingerMs: number
  crowdedFrom: number
}

/**
 * A server that bounds what its clients may hold: sockets, requests that wait on each, and the time
 * they take to send and to read.
 */
export function openServer(
  listener: RequestListener,
  refuse: (error: Error, socket: Duplex) => void,
  bounds: Partial<Bounds> = {},
): Server {
  const {
    unreadMsMax = UNREAD_MS_MAX,
    lingerMs = LINGER_MS,
    crowdedFrom = CROWDED_FROM,
    ...times
  } = bounds
  const serve = boundWaiting((req, res) => {
    // A client that is told to close comes back on another connection, and to another process.
    if (!server.listening) res.shouldKeepAlive = false
    listener(req, res)
  })
  const server = createServer({ ...LIMITS, ...TIMES, ...times }, serve)
  // Node would refuse an unknown expectation with a bare 417.
  server.on('checkExpectation', serve)
  refuseBadInput(server, refuse, lingerMs)
  server.maxConnections = CONNECTIONS_MAX
  // By default Node drops the headers after the first thousand, even a key or a client's address.
  server.maxHeadersCount = 0
  server.timeout = unreadMsMax
  const sockets = socketsOf(server)
  makeRoom(server, sockets, crowdedFrom)
  hangUpAfterAnswers(server, sockets)
  return server
}

/**
 * Refuses input that cannot be read. If it follows a readable request, nothing is written into or
 * before that request's answer: the connection is closed when the answer is sent, or at once if the
 * answer has no end.
 */
function refuseBadInput(
  server: Server,
  refuse: (error: Error, socket: Duplex) => void,
  lingerMs: number,
): void {
  const closing = new WeakSet<Socket>()
  server.on('clientError', (error: Error, socket: Socket) => {
    const response = underWay(socket)
    const isAnswered = response?.headersSent === true
    if (!response || !(isAnswered || response.req.complete)) {
      refuse(error, socket)
      linger(socket, lingerMs)
    } else if (isAnswered && !response.writableEnded) socket.destroy()
    else if (!closing.has(socket)) {
      closing.add(socket)
      whenAnswered(socket, () => socket.destroySoon())
    }
  })
}

/** Discards further input, so that nothing is done for a request that was refused. */
function linger(socket: Socket, lingerMs: number): void {
  // Node gives up parsing a connection that gets a data listener; once that is removed, the input
  // is read and dropped.
  socket.on('data', () => {})
  socket.removeAllListeners('data').resume()
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
}

/** The open sockets, oldest first. */
function socketsOf(server: Server): InFlight<Socket> {
  const sockets = new InFlight<Socket>()
  let opened = 0
  server.on('connection', (socket: Socket) => {
    const key = String(opened++)
    sockets.set(key, socket)
    socket.once('close', () => sockets.take(key))
  })
  return sockets
}

/**
 * Replaces what Node does to connections when a server closes. Node would cut off a client that is
 * still reading a finished answer or has sent a new request, and leave open a connection that it
 * has yet to answer.
 */
function hangUpAfterAnswers(server: Server, sockets: InFlight<Socket>): void {
  const hangUp = () => {
    for (const socket of sockets.values()) whenAnswered(socket, () => socket.destroySoon())
  }
  server.closeIdleConnections = () => {
    for (const socket of sockets.values()) {
      const response = underWay(socket)
      if (response) response.shouldKeepAlive = false
    }
    setTimeout(hangUp, ON_ITS_WAY_MS).unref()
  }
}

export function listen(
  server: Server,
  { HOST, PORT }: { HOST: string; PORT: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (cause: Error) => {
      const problem = `HOST and PORT: nothing can listen at ${HOST}:${PORT}`
      reject(new Error(`${problem} (${cause.message})`, { cause }))
    }
    server.once('error', refuse)
    server.listen(PORT, HOST, () => {
      server.off('error', refuse)
      resolve()
    })
  })
}

/** Takes no new connection, lets requests in hand finish, and cuts the rest off after DRAIN_MS. */
export async function stopServing(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearTimeout(timer)
}
