import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NATS_USERS } from '../servers/nats.mjs'
import { newPassword } from '../servers/password.mjs'

/**
 * @typedef {object} Secrets
 * @property {Record<string, string>} nats by user
 * @property {string} meiliMasterKey
 * @property {string} logHashKey
 */

/**
 * The passwords that live as long as the data folder: made at the first start, readable by
 * their owner only. PostgreSQL's and Redis's stay beside their data.
 *
 * @param {string} dir
 * @returns {Secrets}
 */
export function keptSecrets(dir) {
  const file = join(dir, 'secrets.json')
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const users = NATS_USERS.map((user) => [user, kept.nats?.[user] ?? newPassword()])
  const secrets = {
    nats: Object.fromEntries(users),
    meiliMasterKey: kept.meiliMasterKey ?? newPassword(),
    logHashKey: kept.logHashKey ?? newPassword(),
  }
  writeFileSync(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return secrets
}
