import { type Logger, pino } from 'pino'

export type { Logger } from 'pino'

/** Fields that must never reach a log line, wherever they stand. */
const SECRET_FIELDS = ['authorization', 'api_key', 'apiKey', 'password', 'secret', 'cookie']

/** A JSON logger on stdout. Callers log ids and counts, never bodies or query strings. */
export function createLogger(service: string, level = 'info'): Logger {
  return pino({
    name: service,
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      censor: '[secret]',
    },
    serializers: { err: describeError },
  })
}

/** Messages of the PostgreSQL driver can quote stored text in `detail`; only these parts are logged. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: 'not an Error' }
  const { name, message, stack } = error
  const code = 'code' in error ? error.code : undefined
  return { name, message: message.slice(0, 500), code, stack: stack?.slice(0, 4000) }
}
