import { readFileSync } from 'node:fs'

/**
 * What a program here once wrote as a JSON object.
 *
 * @param {string} file
 * @param {string} remedy what to do where the file is damaged
 * @returns {any}
 * @throws {Error} one sentence, without the parser's message: that one quotes what may be a password
 */
export function readJson(file, remedy) {
  const value = parsed(readFileSync(file, 'utf8'))
  if (typeof value === 'object' && value !== null) return value
  throw new Error(`${file} is damaged: ${remedy}.`)
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
