import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAbandoned, leaveCharge, stopLeftovers, takeCharge } from './process-record.mjs'

/** How the names of run folders begin; each run of the tests or of the bench has its own folder. */
const PREFIXES = { test: 'stoa-test-', bench: 'stoa-bench-' }
const RECORD = 'processes.json'

/**
 * Makes a temporary folder for a run and takes charge of it. First it stops the programs, and
 * deletes the folders, of earlier runs that were killed before they could do so.
 *
 * @param {keyof typeof PREFIXES} kind
 * @param {string} [place] where all such folders are
 * @returns {Promise<string>}
 */
export async function makeRunFolder(kind, place = tmpdir()) {
  await removeAbandoned(place)
  const folder = mkdtempSync(join(place, PREFIXES[kind]))
  // PostgreSQL runs as another user when root runs this, and has to get through here.
  chmodSync(folder, 0o711)
  takeCharge(join(folder, RECORD))
  return folder
}

/** @param {string} folder whose programs have ended */
export function removeRunFolder(folder) {
  leaveCharge(join(folder, RECORD))
  rmSync(folder, { recursive: true, force: true })
}

/** @param {string} place */
async function removeAbandoned(place) {
  for (const folder of ownFolders(place)) {
    const record = join(folder, RECORD)
    if (!isAbandoned(record)) continue
    await stopLeftovers(record)
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Leaves out the folders of other users of the machine.
 *
 * @param {string} place
 */
function ownFolders(place) {
  return readdirSync(place)
    .filter((name) => Object.values(PREFIXES).some((prefix) => name.startsWith(prefix)))
    .map((name) => join(place, name))
    .filter((folder) => statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.())
}
