import { renameSync, writeFileSync } from 'node:fs'

/**
 * Writes a file that only its owner may read, whole or not at all: on a full disk, and where the
 * machine goes down meanwhile, what was there before stays.
 *
 * @param {string} file
 * @param {string} text
 */
export function writeWhole(file, text) {
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
}
