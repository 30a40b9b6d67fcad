/**
 * Whoever cannot reach an address may quote it as it was given, with user and password. A password that
 * holds an @ unescaped ends at the last one.
 *
 * @param {string} text
 */
export function withoutLogins(text) {
  return text.replace(/\/\/[^\s/]+@/g, '//')
}
