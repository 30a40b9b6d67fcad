/**
 * @typedef {object} Address
 * @property {string[]} servers each as host:port
 * @property {object} [tls] without it the client goes on in the clear, password included, with a server that has no TLS
 * @property {string} [user]
 * @property {string} [pass]
 */

/**
 * What NATS_URL asks for, as the client takes it: user and password apart from the server's address, and
 * nothing of its scheme. Several servers of one bus are separated by commas, the login is in front of the
 * first.
 *
 * @param {string} url
 * @returns {Address}
 * @throws {Error} where it cannot be read
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
