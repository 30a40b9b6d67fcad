import { readFileSync } from 'node:fs'

/**
 * Reads a JSON object that a program of this folder wrote.
 *
 * @param {string} file
 * @param {string} remedy what to do if the file is damaged
 * @returns {any}
 * @throws {Error} one sentence, without the parser's message, which could quote a password
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
