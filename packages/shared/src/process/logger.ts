import { writeSync } from 'node:fs'
import { type DestinationStream, type Logger, pino } from 'pino'
import { isError } from './is-error.ts'
import { withoutLogins } from './without-logins.mjs'

export type { Logger } from 'pino'

/** Fields that must never reach a log line, wherever they stand. */
const SECRET_FIELDS = ['authorization', 'api_key', 'apiKey', 'password', 'secret', 'cookie']

/**
 * The unwritten end of a line, which must be written first, or the next line would stand within it.
 */
let rest: Buffer = Buffer.alloc(0)

/**
 * A line for which there is no room, on a full disk or in a pipe that nobody empties, is lost:
 * pino's own stream would end the process, or block it for as long as that lasts.
 */
const stdout: DestinationStream = {
  write: (line) => {
    try {
      if (rest.length > 0) rest = writeSome(rest)
      if (rest.length === 0) rest = writeSome(Buffer.from(line))
    } catch {}
  },
}

/** Returns the bytes that found no room. */
function writeSome(bytes: Buffer): Buffer {
  // Reading `process.stdout` makes Node set it to refuse at once; otherwise a writer waits for its
  // reader.
  return bytes.subarray(writeSync(process.stdout.fd, bytes))
}

/**
 * A JSON logger, by default on stdout. Callers log ids and counts, never bodies or query strings.
 */
export function createLogger(
  service: string,
  level: string,
  destination: DestinationStream = stdout,
): Logger {
  const options = {
    name: service,
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      censor: '[secret]',
    },
    serializers: { err: describeError },
  }
  return pino(options, destination)
}

/** How many levels of causes are logged. */
const CAUSES_MAX = 4

interface Described {
  name?: string
  message: string
  code?: unknown
  cause?: Described | undefined
}

function describeError(error: unknown) {
  const stack = isError(error) ? error.stack : undefined
  return { ...describe(error, CAUSES_MAX), stack: stack && withoutLogins(stack).slice(0, 4000) }
}

/**
 * The parts of an error that are logged; the PostgreSQL driver can quote stored text in `detail`.
 */
function describe(error: unknown, causesMax: number): Described {
  if (!isError(error)) return { message: 'not an Error' }
  const { name, message, cause } = error
  return {
    name,
    message: withoutLogins(message).slice(0, 500),
    ...('code' in error ? { code: error.code } : {}),
    ...(isError(cause) && causesMax > 0 ? { cause: describe(cause, causesMax - 1) } : {}),
  }
}

/** Returns true at most once in `ms` milliseconds: for lines that must not fill a log. */
export function onceIn(ms: number): () => boolean {
  let until = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    if (now < until) return false
    until = now + ms
    return true
  }
}
