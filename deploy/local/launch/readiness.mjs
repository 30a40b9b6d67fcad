import { setTimeout as sleep } from 'node:timers/promises'

const READY_WITHIN_MS = 90_000
const POLL_MS = 150
const REQUEST_TIMEOUT_MS = 5_000
const CRASHES_MAX = 3

/**
 * Waits until the gateway's health says that everything works, or until the time is up: filling an
 * index or a hot order may take hours, and the forum works without them.
 *
 * @param {object} options
 * @param {string} options.url the gateway's own address
 * @param {boolean} options.searchMayBeDegraded there is no Meilisearch
 * @param {import('../processes/supervise.mjs').Supervised[]} options.services
 * @param {AbortSignal} options.signal
 * @param {number} [options.withinMs]
 * @returns {Promise<string>} what does not work fully yet, empty when all is well
 * @throws {Error} naming the service that keeps crashing, or what the health page said last
 */
export async function untilHealthy(options) {
  const { url, searchMayBeDegraded, services, signal, withinMs = READY_WITHIN_MS } = options
  const deadline = performance.now() + withinMs
  let last = { complaint: 'no answer', serves: false }
  while (performance.now() < deadline) {
    signal.throwIfAborted()
    const crashing = services.find((service) => service.crashes() >= CRASHES_MAX)
    if (crashing) throw new CrashLoop(crashing.name)
    last = await look(url, searchMayBeDegraded)
    if (last.complaint === '') return ''
    await sleep(POLL_MS)
  }
  if (last.serves) return last.complaint
  throw new Error(`The forum is not ready after ${withinMs / 1000} s: ${last.complaint}.`)
}

/** A service that ends again and again before the forum was ever ready. */
export class CrashLoop extends Error {
  /** @param {string} service */
  constructor(service) {
    super(`The service ${service} does not start.`)
    this.service = service
  }
}

const WELL = { complaint: '', serves: true }

/**
 * @param {string} url
 * @param {boolean} searchMayBeDegraded
 * @returns {Promise<{ complaint: string, serves: boolean }>} what is not well yet, empty when all
 *   is well
 */
async function look(url, searchMayBeDegraded) {
  try {
    const response = await fetch(`${url}/api/v1/health`, {
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    /** @type {any} the forum's own answer, read only for a message */
    const health = await response.json()
    if (health.status === 'ok') return WELL
    const unwell = Object.entries(health.services ?? {})
      .filter(([, part]) => part?.status !== 'ok')
      .map(([name]) => name)
    const onlySearch = unwell.every((name) => name === 'search')
    const isDegraded = health.status === 'degraded'
    if (isDegraded && searchMayBeDegraded && onlySearch) return WELL
    const parts = unwell.join(', ') || `HTTP ${response.status}`
    return { complaint: `health says ${health.status} (${parts})`, serves: isDegraded }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { complaint: `the gateway does not answer (${reason})`, serves: false }
  }
}
