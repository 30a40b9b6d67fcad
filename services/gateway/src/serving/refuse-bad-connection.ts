import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { AppError } from '@stoa/shared/errors/errors.js'
import type { Config } from '../config.ts'
import type { Core } from '../core.ts'
import { EVERY_RESPONSE } from '../http/exchange.ts'
import { PROBLEM_TYPE, problem } from '../http/problem.ts'
import { requestId } from '../http/request-id.ts'

/** Answers bytes that are not HTTP, or a request too large or too slow to read, and hangs up. */
export function refuseBadConnection(
  { config }: Pick<Core, 'config'>,
  error: NodeJS.ErrnoException,
  socket: Duplex,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  socket.end(unaskedAnswer(config, new AppError('bad_request', reasonOf(error))))
}

function reasonOf({ code }: NodeJS.ErrnoException): { reason?: string } {
  const reason = REASONS[code ?? '']
  return reason === undefined ? {} : { reason }
}

const REASONS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'head',
  ERR_HTTP_REQUEST_TIMEOUT: 'slow',
}

/** Answers a connection before any request came, and hangs up without waiting for the client. */
export function refuseConnection(
  { config }: Pick<Core, 'config'>,
  error: AppError,
  socket: Socket,
): void {
  socket.on('error', () => socket.destroy())
  socket.write(unaskedAnswer(config, error))
  socket.destroySoon()
}

function unaskedAnswer(config: Pick<Config, 'baseUrl'>, error: AppError): Buffer {
  const id = requestId(undefined)
  const {
    status,
    body,
    headers: own,
  } = problem(error, {
    baseUrl: config.baseUrl,
    requestId: id,
    instance: '/',
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
    ...own,
  ]
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`
  return Buffer.concat([Buffer.from(`${head}\r\n`), body])
}
