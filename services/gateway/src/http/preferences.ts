/**
 * Matches a preference, which ends at a comma outside quotes, and the part before its parameters.
 */
const PREFERENCES = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g
const WITHOUT_PARAMETERS = /^(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/
const QUOTED = /^"((?:[^"\\]|\\.)*)"$/

/**
 * The values of a Prefer header (RFC 7240) by their names, both in lower case; empty if a name has
 * no value. If a name comes more than once, the first counts.
 */
export function preferencesIn(header = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const preference of header.match(PREFERENCES) ?? []) {
    const [said = ''] = WITHOUT_PARAMETERS.exec(preference) ?? []
    const [name = '', ...value] = said.split('=')
    const key = name.trim().toLowerCase()
    if (!found.has(key)) found.set(key, unquoted(value.join('=').trim()).toLowerCase())
  }
  return found
}

function unquoted(word: string): string {
  const [, inner] = QUOTED.exec(word) ?? []
  return inner === undefined ? word : inner.replaceAll(/\\(.)/g, '$1')
}
