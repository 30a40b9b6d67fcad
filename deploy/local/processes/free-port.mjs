import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * The range lies below the ports that Linux and macOS give to outgoing connections. Otherwise any
 * client on the machine could be given the port of a server that ended, and the server could not
 * start again on its port.
 */
const [FIRST, LAST] = [20_000, 29_999]
const ATTEMPTS_MAX = 20

/**
 * A loopback TCP port nobody listens on now. Another program may still take it before it is
 * used, so callers that start a server on it try again with another one.
 *
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (let left = ATTEMPTS_MAX; left > 0; left -= 1) {
    const port = randomInt(FIRST, LAST + 1)
    const isFree = await listenBriefly(port, '127.0.0.1').catch(() => false)
    if (isFree) return port
  }
  return listenBriefly(0, '127.0.0.1')
}

/**
 * Rejects, and says what to set, if no server can listen on that port now.
 *
 * @param {number} port
 * @param {string} host
 */
export async function insistOnPort(port, host) {
  try {
    await listenBriefly(port, host)
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
    throw new Error(
      code === 'EADDRINUSE'
        ? `Port ${port} on ${host} is taken: set PORT to a free one.`
        : `The gateway cannot listen on port ${port} of ${host}: correct HOST and PORT (${message}).`,
    )
  }
}

/**
 * @param {number} port
 * @param {string} host
 * @returns {Promise<number>}
 */
function listenBriefly(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      const taken = typeof address === 'object' && address ? address.port : port
      server.close(() => resolve(taken))
    })
  })
}
