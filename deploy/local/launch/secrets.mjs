import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { readJson } from '../read-json.mjs'
import { NATS_USERS } from '../servers/nats.mjs'
import { newPassword } from '../servers/password.mjs'
import { writeWhole } from '../write-whole.mjs'

const REMEDY = 'restore it from a copy, or remove it, and the next start makes new passwords'

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
  const kept = existsSync(file) ? readJson(file, REMEDY) : {}
  const users = NATS_USERS.map((user) => [user, kept.nats?.[user] ?? newPassword()])
  const secrets = {
    nats: Object.fromEntries(users),
    meiliMasterKey: kept.meiliMasterKey ?? newPassword(),
    logHashKey: kept.logHashKey ?? newPassword(),
  }
  if (!isDeepStrictEqual(secrets, kept)) writeWhole(file, `${JSON.stringify(secrets, null, 2)}\n`)
  return secrets
}
