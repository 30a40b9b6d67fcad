import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * The response that a connection waits for or receives. Node keeps it in an undocumented property.
 */
export function underWay(socket: Duplex): ServerResponse | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined
}

/** Runs after the answers to all requests of a connection are sent; at once if none waits. */
export function whenAnswered(socket: Duplex, run: () => void): void {
  const response = underWay(socket)
  // Node's own listener ran first, so the next response has taken its place by then.
  if (response) response.once('finish', () => whenAnswered(socket, run))
  else run()
}
