import { renameSync, writeFileSync } from 'node:fs'

/**
 * Writes a file that only its owner may read, whole or not at all: if the disk is full, or the
 * machine goes down during the write, the earlier file stays.
 *
 * @param {string} file
 * @param {string} text
 */
export function writeWhole(file, text) {
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
}
