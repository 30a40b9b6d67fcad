import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../write-whole.mjs'

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
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  if (kept !== '') return kept
  const made = newPassword()
  writeWhole(file, made)
  return made
}
