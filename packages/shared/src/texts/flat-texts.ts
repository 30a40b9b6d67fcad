/** The name under which the keys of `data` are scanned, since a key can hold a secret as well. */
export const KEYS_FIELD = 'data_keys'

/**
 * The path of the value under a key. No two texts of a document share a path: a dot within a key is
 * escaped as JSON Pointer escapes its slash (RFC 6901).
 */
export function pathTo(parent: string, key: string): string {
  const name = /[.~]/.test(key) ? key.replaceAll('~', '~0').replaceAll('.', '~1') : key
  return parent === '' ? name : `${parent}.${name}`
}

/** Every non-empty text of a document by path: `title`, `tags.0`, `data.environment.os`. */
export function flatTexts(document: object, skip?: ReadonlySet<string>): Record<string, string> {
  const texts: Record<string, string> = {}
  const keys: string[] = []
  for (const [name, value] of Object.entries(document)) {
    if (!skip?.has(name)) collect(value, name, texts, name === 'data' ? keys : undefined)
  }
  if (keys.length > 0) texts[KEYS_FIELD] = keys.join('\n')
  return texts
}

function collect(
  value: unknown,
  path: string,
  texts: Record<string, string>,
  keys: string[] | undefined,
): void {
  if (typeof value === 'string') {
    if (value !== '') texts[path] = value
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, child] of Object.entries(value)) {
    if (keys && !Array.isArray(value)) keys.push(key)
    collect(child, pathTo(path, key), texts, keys)
  }
}
