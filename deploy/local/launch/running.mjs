import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DATA_DIR } from '../paths.mjs'
import { otherInCharge } from '../processes/process-record.mjs'
import { readJson } from '../read-json.mjs'
import { writeWhole } from '../write-whole.mjs'
import { SERVICES } from './service-env.mjs'

/** The file that names the process in charge of the data folder and the programs it started. */
export const PROCESSES = join(DATA_DIR, 'processes.json')
const RUNNING = join(DATA_DIR, 'running.json')

/**
 * @typedef {object} Running
 * @property {string} baseUrl
 * @property {string} url the gateway's own address
 * @property {Record<string, string>} env the operator's environment: DATABASE_URL, REDIS_URL,
 *   NATS_URL, …
 * @property {Record<string, string>} natsUrls each service's own login to the bus
 * @property {Record<string, number>} pids of the services when they were first ready
 */

/**
 * Says where the forum runs, for the commands that work on a running one (demo, admin, rebuild).
 *
 * @param {string} [remedy] what to do if the file that says so is damaged
 * @returns {Running | null} null when `npm start` is not running in this data folder
 */
export function readRunning(remedy = 'restart the forum, which rewrites this file') {
  if (!existsSync(RUNNING) || otherInCharge(PROCESSES) === null) return null
  return readJson(RUNNING, remedy)
}

/**
 * @param {import('./settings.mjs').Settings} settings
 * @param {import('./data-servers.mjs').Addresses} addresses
 * @param {import('../processes/supervise.mjs').Supervised[]} services
 * @returns {Running}
 */
export function describeRunning({ baseUrl, url }, addresses, services) {
  return {
    baseUrl,
    url,
    env: {
      BASE_URL: baseUrl,
      DATABASE_URL: addresses.databaseUrl,
      REDIS_URL: addresses.redisUrl,
      NATS_URL: addresses.natsUrl('operator'),
      ...(addresses.meiliUrl ? { MEILI_URL: addresses.meiliUrl } : {}),
      ...(addresses.meiliKey ? { MEILI_KEY: addresses.meiliKey } : {}),
    },
    natsUrls: Object.fromEntries(SERVICES.map((name) => [name, addresses.natsUrl(name)])),
    pids: Object.fromEntries(services.map((service) => [service.name, service.pid()])),
  }
}

/** @param {Running} running */
export function writeRunning(running) {
  writeWhole(RUNNING, `${JSON.stringify(running, null, 2)}\n`)
}

export function removeRunning() {
  rmSync(RUNNING, { force: true })
}
