const PORT_DEFAULT = 8080

/**
 * @typedef {object} Settings
 * @property {string} host the gateway listens on
 * @property {number} port
 * @property {string} url the gateway's own address, for this machine
 * @property {string} baseUrl the address the forum uses for itself in its links
 * @property {boolean} rateLimitsOff
 */

/**
 * Reads the environment variables that `npm start` itself uses.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {Settings}
 * @throws {Error} one sentence per bad variable
 */
export function readSettings(env) {
  const port = Number(env.PORT || PORT_DEFAULT)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`PORT must be a number from 1 to 65535, not ${JSON.stringify(env.PORT)}.`)
  }
  const host = env.HOST || '127.0.0.1'
  const baseUrl = (env.BASE_URL || `http://localhost:${port}`).replace(/\/+$/, '')
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new Error(`BASE_URL must be an http or https address, not ${JSON.stringify(baseUrl)}.`)
  }
  // The message does not quote the address, because its user may come with a password.
  if (/[?#@]/.test(baseUrl)) throw new Error('BASE_URL must not contain a user, query or fragment.')
  const url = `http://${reachable(host)}:${port}`
  return { host, port, url, baseUrl, rateLimitsOff: env.RATE_LIMITS === 'off' }
}

/** @param {string} host */
function reachable(host) {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
