import { isBusUrl, splitUrl } from '../../../packages/shared/src/process/bus-address.mjs'

/**
 * A shared address without a login gets each user's from NATS_<USER>_PASSWORD. One that cannot be read
 * is left for whoever uses it to refuse.
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
