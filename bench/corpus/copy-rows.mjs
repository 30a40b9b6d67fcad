/** Rows in the text format of COPY: columns between tabs, `\N` for null. */

const SPECIAL = /[\\\n\r\t]/
const ESCAPES = /** @type {Record<string, string>} */ ({
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
})

export const NULL = '\\N'

/** @param {string} text */
export function escaped(text) {
  if (!SPECIAL.test(text)) return text
  return text.replaceAll(/[\\\n\r\t]/g, (character) => /** @type {string} */ (ESCAPES[character]))
}

/** @param {readonly string[]} items plain words: no quotes, commas, braces or backslashes */
export function wordArray(items) {
  return `{${items.join(',')}}`
}

/** @param {number} ms since 1970 */
export function time(ms) {
  return new Date(ms).toISOString()
}
