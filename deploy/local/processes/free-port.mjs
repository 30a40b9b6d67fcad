import { createServer } from 'node:net'

/**
 * A loopback TCP port nobody listens on now. Another program may still take it before it is
 * used, so callers that start a server on it try again with another one.
 *
 * @returns {Promise<number>}
 */
export function freePort() {
  return listenBriefly(0, '127.0.0.1')
}

/**
 * Rejects, and says what to set, where no server could listen now.
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
        : `Nothing can listen on port ${port} of ${host}: set HOST and PORT. (${message})`,
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
