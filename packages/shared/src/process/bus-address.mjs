/**
 * @typedef {object} Address
 * @property {string[]} servers each as host:port
 * @property {object} [tls] if absent, the client goes on in the clear, password included, with a
 *   server that has no TLS
 * @property {string} [user]
 * @property {string} [pass]
 */

/**
 * Splits NATS_URL into what the client takes: the addresses of the servers without their scheme,
 * and user and password apart. Commas separate several servers of one bus, and the login stands in
 * front of the first.
 *
 * @param {string} url
 * @returns {Address}
 * @throws {Error} if the URL cannot be read
 */
export function splitUrl(url) {
  const parts = url.split(',').map((part) => partOf(part.trim()))
  const servers = parts.map((part) => `${part.hostname}:${part.port || 4222}`)
  const tls = parts.some(({ protocol }) => protocol === 'tls:') ? { tls: {} } : {}
  const [first] = parts
  if (!first?.username) return { servers, ...tls }
  return {
    servers,
    ...tls,
    user: decodeURIComponent(first.username),
    pass: decodeURIComponent(first.password),
  }
}

/** @param {string} url */
export function isBusUrl(url) {
  try {
    return splitUrl(url).servers.length > 0
  } catch {
    return false
  }
}

/** @param {string} text */
function partOf(text) {
  const part = new URL(text.includes('://') ? text : `nats://${text}`)
  if (!/^(nats|tls):$/.test(part.protocol) || !part.hostname) throw new Error('no address of NATS')
  return part
}
