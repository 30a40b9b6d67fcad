/**
 * The four data servers, private to the program that starts them: loopback only, data in a given
 * folder.
 */
export { startMeili } from './meili.mjs'
export { startNats } from './nats.mjs'
export { startPostgres, UNSAFE_BUT_FAST } from './postgres.mjs'
export { startRedis } from './redis.mjs'

/**
 * A running server. Its address includes the login, ready for a client.
 *
 * @typedef {import('../processes/child.mjs').Child & { port: number, url: string }} Server
 */

/**
 * `urlFor` gives the address with the login of one user, because each service has its own user.
 *
 * @typedef {Server & { urlFor: (user: string) => string }} NatsServer
 */
