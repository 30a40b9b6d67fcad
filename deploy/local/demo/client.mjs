import { setTimeout as sleep } from 'node:timers/promises'

const REQUEST_TIMEOUT_MS = 15_000
const ATTEMPTS_MAX = 6
const BACKOFF_MS = 250
/**
 * The longest time that the client waits before it repeats a request, for a rate limit to refill,
 * say.
 */
const WAIT_MAX_S = 90

/**
 * @typedef {object} Call
 * @property {string} [key] an API key
 * @property {unknown} [body]
 * @property {string} [once] an Idempotency-Key: the write lands once however often it is sent
 *
 * @typedef {object} Answer
 * @property {number} status
 * @property {any} body the forum's own JSON, read for ids and messages
 *
 * @typedef {(method: string, path: string, call?: Call) => Promise<Answer>} Request
 */

/**
 * A polite client: waits as Retry-After says, repeats what may be repeated, and gives up after a
 * bounded number of attempts.
 *
 * @param {string} url of the forum, without a trailing slash
 * @param {(line: string) => void} say
 * @returns {Request}
 */
export function createClient(url, say) {
  return async (method, path, call = {}) => {
    for (let attempt = 1; ; attempt++) {
      const answer = await send(url, method, path, call)
      const waitS = secondsToWait(answer, attempt)
      if (waitS === null) return answer
      if (attempt === ATTEMPTS_MAX || waitS > WAIT_MAX_S) throw refusal(method, path, answer)
      if (waitS >= 1) say(`${answer.body?.code ?? 'no answer'}: waiting ${Math.ceil(waitS)} s`)
      await sleep(waitS * 1_000)
    }
  }
}

/**
 * @param {string} url
 * @param {string} method
 * @param {string} path
 * @param {Call} call
 * @returns {Promise<Answer & { retryAfterS: number | null }>} status 0 when nothing answered
 */
async function send(url, method, path, { key, body, once }) {
  try {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(once ? { 'idempotency-key': once } : {}),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    const retryAfter = response.headers.get('retry-after')
    const text = await response.text()
    return {
      status: response.status,
      body: /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text,
      retryAfterS: retryAfter === null ? null : Number(retryAfter),
    }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return { status: 0, body: { code: 'no answer', detail }, retryAfterS: null }
  }
}

/**
 * Every write of the demo carries an Idempotency-Key or is idempotent by nature, except a
 * registration: its repetition finds the handle taken and fails, and the next run of the demo takes
 * the next handle.
 *
 * @param {Answer & { retryAfterS: number | null }} answer
 * @param {number} attempt
 * @returns {number | null} null when the answer is final
 */
function secondsToWait({ status, body, retryAfterS }, attempt) {
  const isTransient = status === 0 || status === 429 || status === 503 || status === 504
  if (!isTransient && body?.code !== 'idempotency_in_progress') return null
  return retryAfterS ?? (BACKOFF_MS * 2 ** attempt) / 1_000
}

/**
 * @param {string} method
 * @param {string} path
 * @param {Answer} answer
 */
export function refusal(method, path, { status, body }) {
  const findings = (body?.findings ?? body?.errors ?? [])
    .map((/** @type {any} */ one) => `\n  ${one.field ?? one.pointer}: ${one.why ?? one.message}`)
    .join('')
  const said = `${status || ''} ${body?.code ?? ''}: ${body?.detail ?? ''}`.trim()
  return new Error(`${method} ${path} was answered ${said}${findings}`)
}
