import type { Duplex } from 'node:stream'
import { AppError } from '@stoa/shared/errors.js'
import type { Core } from '../core.ts'
import { EVERY_RESPONSE } from './exchange.ts'
import { PROBLEM_TYPE, problem } from './problem.ts'
import { requestId } from './request-id.ts'

/** Answers what is not HTTP, or too large or slow to be read as such, and hangs up. */
export function refuseBadConnection(
  { config }: Pick<Core, 'config'>,
  error: NodeJS.ErrnoException,
  socket: Duplex,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const id = requestId(undefined)
  const { status, body } = problem(new AppError('bad_request'), {
    baseUrl: config.baseUrl,
    requestId: id,
    instance: '/',
    method: 'GET',
    isRepeatable: false,
  })
  const headers = [
    'Content-Type',
    PROBLEM_TYPE,
    'Content-Length',
    String(body.length),
    'X-Request-Id',
    id,
    'Connection',
    'close',
    ...EVERY_RESPONSE,
  ]
  let head = `HTTP/1.1 ${status} Bad Request\r\n`
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`
  socket.end(Buffer.concat([Buffer.from(`${head}\r\n`), body]))
}
