import { tail } from '../servers/server.mjs'

/**
 * Why a service ended, taken from the last line of its log: the message of that line without the
 * log's format, or else the end of the log as it is.
 *
 * @param {string} logFile
 */
export function whyEnded(logFile) {
  const end = tail(logFile)
  const { msg, err } = parsed(end.slice(end.lastIndexOf('\n') + 1))
  if (!err) return `The end of ${logFile}:\n${end}`
  const cause = err.cause ? ` (${err.cause.message})` : ''
  return `Its log says: ${msg}, ${err.message}${cause}`
}

/**
 * @param {string} line
 * @returns {any} empty for a line that no service logged, such as the last words of Node.js
 */
function parsed(line) {
  try {
    return JSON.parse(line)
  } catch {
    return {}
  }
}
