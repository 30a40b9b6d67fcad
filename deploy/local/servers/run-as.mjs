import { chownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

const NOBODY = 65_534

/**
 * PostgreSQL refuses to run as root. As root, its programs run as `nobody`; if a folder on the way
 * (a private home, say) does not let `nobody` through, they also get the one capability that does.
 * As an ordinary user they simply run.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {string[]} paths the files and folders the program must reach
 * @returns {{ command: string, args: string[], uid?: number, gid?: number }}
 */
export function runUnprivileged(command, args, paths) {
  if (process.getuid?.() !== 0) return { command, args }
  if ([command, ...paths].every(nobodyMayEnter)) return { command, args, uid: NOBODY, gid: NOBODY }
  const identity = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override']
  // Without this bit access(2), with which initdb looks for its files, disregards the capability.
  const securebits = '--securebits=+no_setuid_fixup'
  const flags = [...identity, ...capability, securebits]
  return { command: 'setpriv', args: [...flags, '--', command, ...args] }
}

/**
 * Gives a folder and everything in it to the user that `runUnprivileged` runs programs as.
 *
 * @param {string} path
 */
export function giveToUnprivileged(path) {
  if (process.getuid?.() !== 0) return
  if (lstatSync(path).uid === NOBODY) return
  if (lstatSync(path).isDirectory()) {
    for (const entry of readdirSync(path)) giveToUnprivileged(join(path, entry))
  }
  chownSync(path, NOBODY, NOBODY)
}

/** @param {string} path */
function nobodyMayEnter(path) {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}
