import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A password that needs no quoting in URLs, configuration files or SQL. It starts with a
 * letter because nats-server reads a value that looks like a number as a number.
 */
export function newPassword() {
  return `p${randomBytes(24).toString('hex')}`
}

/**
 * The password of the server whose folder this is: made once, then the same at every start.
 *
 * @param {string} dir
 * @returns {string}
 */
export function keptPassword(dir) {
  const file = join(dir, 'password')
  if (!existsSync(file)) writeFileSync(file, newPassword(), { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}
