import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** The response that a connection waits for or receives. Node keeps it there, and tells of it nowhere. */
export function underWay(socket: Duplex): ServerResponse | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined
}

/** Runs once all that was asked on a connection is answered and sent: at once where that is nothing. */
export function whenAnswered(socket: Duplex, run: () => void): void {
  const response = underWay(socket)
  // Node's own listener came first, so that the next response has taken its place by then.
  if (response) response.once('finish', () => whenAnswered(socket, run))
  else run()
}
