import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Makes the data folder and its missing parents, one by one: a `recursive` mkdir never returns if
 * the folder cannot be made, such as below /proc, and then the process hears no signal either.
 *
 * @param {string} dir
 * @throws {Error} one sentence that says what to set
 */
export function makeDataFolder(dir) {
  insist('made', () => make(dir))
  insist('written', () => tryToWrite(dir))
}

/**
 * Writes a byte, because permissions do not tell: nobody can write to a read-only mount, and a full
 * disk still takes new folders.
 *
 * @param {string} dir
 */
function tryToWrite(dir) {
  const tried = mkdtempSync(join(dir, 'written-'))
  try {
    writeFileSync(join(tried, 'a-byte'), '.')
  } finally {
    rmSync(tried, { recursive: true })
  }
}

/**
 * @param {string} done
 * @param {() => void} attempt
 */
function insist(done, attempt) {
  try {
    attempt()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(
      `The data folder cannot be ${done}: set DATA_DIR to another folder (${reason}).`,
    )
  }
}

/** @param {string} dir */
function make(dir) {
  const found = statSync(dir, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  if (!found) make(dirname(dir))
  // Servers that run as another user have to get through here to their own folder.
  mkdirSync(dir, { mode: 0o711 })
}
