import { copyFileSync, mkdirSync, readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'

const LOG_BYTES_MAX = 10 * 1024 * 1024
const CHECK_EVERY_MS = 10_000

/**
 * Keeps every log in a folder near 10 MiB, with one older file beside it, and makes the folder
 * again if it is gone. Programs write to their log directly (no copying through the launcher), so a
 * full log is copied and emptied in place.
 *
 * @param {string} dir
 * @returns {() => void} stops the rotation
 */
export function rotateLogs(dir) {
  const timer = setInterval(() => rotateOnce(dir, LOG_BYTES_MAX), CHECK_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * @param {string} dir
 * @param {number} bytesMax
 */
export function rotateOnce(dir, bytesMax) {
  for (const file of logsIn(dir)) {
    try {
      if (statSync(file).size <= bytesMax) continue
      copyFileSync(file, `${file}.1`)
      truncateSync(file)
    } catch {
      // The disk may be full; the next round tries again.
    }
  }
}

/**
 * Makes the folder again if somebody has deleted it: without it no service could be started again.
 *
 * @param {string} dir
 */
function logsIn(dir) {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    const names = readdirSync(dir).filter((entry) => entry.endsWith('.log'))
    return names.map((name) => join(dir, name))
  } catch {
    return []
  }
}
