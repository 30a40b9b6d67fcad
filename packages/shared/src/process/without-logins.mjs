/**
 * Removes user and password from every address in an error message, which may quote an address as
 * it was given. A password with an unescaped @ is taken to end at the last @.
 *
 * @param {string} text
 */
export function withoutLogins(text) {
  return text.replace(/\/\/[^\s/]+@/g, '//')
}
