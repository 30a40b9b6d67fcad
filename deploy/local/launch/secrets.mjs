import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NATS_USERS } from '../servers/nats.mjs'
import { newPassword } from '../servers/password.mjs'
import { writeWhole } from '../write-whole.mjs'

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
  const written = existsSync(file) ? readFileSync(file, 'utf8') : '{}'
  const kept = JSON.parse(written)
  const users = NATS_USERS.map((user) => [user, kept.nats?.[user] ?? newPassword()])
  const secrets = {
    nats: Object.fromEntries(users),
    meiliMasterKey: kept.meiliMasterKey ?? newPassword(),
    logHashKey: kept.logHashKey ?? newPassword(),
  }
  const text = `${JSON.stringify(secrets, null, 2)}\n`
  if (text !== written) writeWhole(file, text)
  return secrets
}
