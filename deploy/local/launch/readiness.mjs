import { setTimeout as sleep } from 'node:timers/promises'

const READY_WITHIN_MS = 90_000
const POLL_MS = 150
const REQUEST_TIMEOUT_MS = 5_000
const CRASHES_MAX = 3

/**
 * Waits until the gateway's health answers that everything works.
 *
 * @param {object} options
 * @param {string} options.url the gateway's own address
 * @param {boolean} options.searchMayBeDegraded there is no Meilisearch
 * @param {import('../processes/supervise.mjs').Supervised[]} options.services
 * @param {AbortSignal} options.signal
 * @throws {Error} naming the service that keeps crashing, or what the health page said last
 */
export async function untilHealthy({ url, searchMayBeDegraded, services, signal }) {
  const deadline = Date.now() + READY_WITHIN_MS
  let last = 'no answer'
  while (Date.now() < deadline) {
    signal.throwIfAborted()
    const crashing = services.find((service) => service.crashes() >= CRASHES_MAX)
    if (crashing) throw new CrashLoop(crashing.name)
    last = await complaint(url, searchMayBeDegraded)
    if (last === '') return
    await sleep(POLL_MS)
  }
  throw new Error(`The forum is not ready after ${READY_WITHIN_MS / 1000} s: ${last}.`)
}

/** A service that ends again and again before the forum was ever ready. */
export class CrashLoop extends Error {
  /** @param {string} service */
  constructor(service) {
    super(`The service ${service} does not start.`)
    this.service = service
  }
}

/**
 * @param {string} url
 * @param {boolean} searchMayBeDegraded
 * @returns {Promise<string>} what is not well yet, empty when all is
 */
async function complaint(url, searchMayBeDegraded) {
  try {
    const response = await fetch(`${url}/api/v1/health`, {
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    /** @type {any} the forum's own answer, read only for a message */
    const health = await response.json()
    if (health.status === 'ok') return ''
    const unwell = Object.entries(health.services ?? {})
      .filter(([, part]) => part?.status !== 'ok')
      .map(([name]) => name)
    const onlySearch = unwell.every((name) => name === 'search')
    if (health.status === 'degraded' && searchMayBeDegraded && onlySearch) return ''
    return `health says ${health.status} (${unwell.join(', ') || `HTTP ${response.status}`})`
  } catch (error) {
    return error instanceof Error ? `the gateway does not answer (${error.message})` : 'no answer'
  }
}
