/** The four data servers, private to whoever starts them: loopback only, data in a given folder. */
export { startMeili } from './meili.mjs'
export { startNats } from './nats.mjs'
export { startPostgres, UNSAFE_BUT_FAST } from './postgres.mjs'
export { startRedis } from './redis.mjs'

/**
 * With the login in its address, ready for a client.
 *
 * @typedef {import('../processes/child.mjs').Child & { port: number, url: string }} Server
 */

/**
 * Each service has a user of its own.
 *
 * @typedef {Server & { urlFor: (user: string) => string }} NatsServer
 */
