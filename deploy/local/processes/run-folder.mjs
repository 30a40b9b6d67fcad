import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAbandoned, leaveCharge, stopLeftovers, takeCharge } from './process-record.mjs'

/** What the names of folders begin with that are of one run each, of the tests or of the bench. */
const PREFIXES = { test: 'stoa-test-', bench: 'stoa-bench-' }
const RECORD = 'processes.json'

/**
 * Makes a temporary folder for a run, which is in charge of it. First what earlier runs left is stopped and
 * deleted that were killed before they could.
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
 * What other users of the machine have left is theirs.
 *
 * @param {string} place
 */
function ownFolders(place) {
  return readdirSync(place)
    .filter((name) => Object.values(PREFIXES).some((prefix) => name.startsWith(prefix)))
    .map((name) => join(place, name))
    .filter((folder) => statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.())
}
