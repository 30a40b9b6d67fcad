import { isBusUrl, splitUrl } from '../../../packages/shared/src/process/bus-address.mjs'

/**
 * Adds a user's login, with the password from NATS_<USER>_PASSWORD, to a shared address that has
 * none. An address that cannot be read is returned unchanged, for the program that uses it to
 * refuse.
 *
 * @param {string} url
 * @param {string} user
 * @param {NodeJS.ProcessEnv} env
 */
export function withBusLogin(url, user, env) {
  const password = env[`NATS_${user.toUpperCase()}_PASSWORD`]
  if (!password || !isBusUrl(url) || splitUrl(url).user !== undefined) return url
  return url.replace('://', `://${user}:${encodeURIComponent(password)}@`)
}
