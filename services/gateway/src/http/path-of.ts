/** The path of a request line, which may be a whole address (RFC 9112, 3.2.2). */
export function pathOf(target = '/'): string {
  const line = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '')
  const query = line.indexOf('?')
  return query < 0 ? line : line.slice(0, query)
}

/** What stands behind the question mark of a request line; nothing where there is none. */
export function queryOf(target = ''): string {
  const query = target.indexOf('?')
  return query < 0 ? '' : target.slice(query + 1)
}
