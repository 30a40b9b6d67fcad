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
 * @param {number} port
 * @param {string} host
 * @returns {Promise<boolean>} whether a server could listen there now
 */
export async function portIsFree(port, host) {
  return listenBriefly(port, host).then(
    () => true,
    () => false,
  )
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
