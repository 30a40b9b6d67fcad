import type { Socket } from 'node:net'
import type { Exchange } from './exchange.ts'

/** Lists, because the dead tables of a Set would keep what was removed from it (decision 0055). */
const byConnection = new WeakMap<Socket, (() => void)[]>()

/**
 * Runs once, when the answer was sent or its connection is lost. Of pipelined requests, Node tells
 * only the first response that the connection is lost.
 */
export function whenOver({ req: { socket }, res }: Exchange, run: () => void): void {
  if (res.closed || socket.closed) {
    run()
    return
  }
  const runs = runsOf(socket)
  const over = () => {
    const at = runs.indexOf(over)
    if (at === -1) return
    runs.splice(at, 1)
    run()
  }
  runs.push(over)
  res.once('close', over)
}

/** One listener for each connection, however many requests wait on it. */
function runsOf(socket: Socket): (() => void)[] {
  const known = byConnection.get(socket)
  if (known) return known
  const runs: (() => void)[] = []
  byConnection.set(socket, runs)
  socket.once('close', () => {
    for (const over of [...runs]) over()
  })
  return runs
}
