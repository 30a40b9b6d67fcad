import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Makes the data folder, and those above it that are missing. One by one: a `recursive` mkdir never
 * comes back from where nothing can be made, such as below /proc, and then no signal is heard either.
 *
 * @param {string} dir
 * @throws {Error} one sentence that says what to set
 */
export function makeDataFolder(dir) {
  insist('made', () => make(dir))
  insist('written', () => tryToWrite(dir))
}

/**
 * Permissions do not say it: nobody writes to what is mounted to be read only, and a full disk takes
 * folders still.
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
