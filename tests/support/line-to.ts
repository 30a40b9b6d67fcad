import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'

/** A proxy to a server that can disturb its connections: a loss affects those open at the time. */
export interface Line {
  /** The server's address through the proxy. */
  url: string
  /** Nothing more arrives on the open connections, and neither side is told. */
  lose(): void
  /** Like `lose`, but only of what the server sends. */
  loseAnswers(): void
  /** Holds back what clients send to the server, also on new connections. */
  hold(): void
  /** Sends on what was held back, and everything after it. */
  release(): void
  close(): Promise<void>
}

export async function lineTo(serverUrl: string): Promise<Line> {
  const url = new URL(serverUrl)
  const { hostname, port } = url
  const near = new Set<Socket>()
  const far = new Set<Socket>()
  let isHeld = false
  const server = createServer((socket) => {
    const onward = createConnection(Number(port), hostname)
    for (const [end, other, ends] of [
      [socket, onward, near],
      [onward, socket, far],
    ] as const) {
      ends.add(end)
      end.pipe(other)
      end.on('error', () => other.destroy())
      end.on('close', () => ends.delete(end))
    }
    if (isHeld) socket.pause()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const loseFrom = (ends: Set<Socket>) => {
    for (const end of ends) end.unpipe().pause()
  }
  return {
    url: url.href,
    lose: () => {
      loseFrom(near)
      loseFrom(far)
    },
    loseAnswers: () => loseFrom(far),
    hold: () => {
      isHeld = true
      for (const end of near) end.pause()
    },
    release: () => {
      isHeld = false
      for (const end of near) end.resume()
    },
    close: () => {
      for (const end of [...near, ...far]) end.destroy()
      return new Promise((closed) => server.close(() => closed()))
    },
  }
}
