/** The path of a request target, which may be a whole URL (RFC 9112, 3.2.2). */
export function pathOf(target = '/'): string {
  const line = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '')
  const query = line.indexOf('?')
  return query < 0 ? line : line.slice(0, query)
}

/** The part of a request target after the question mark; empty if there is none. */
export function queryOf(target = ''): string {
  const query = target.indexOf('?')
  return query < 0 ? '' : target.slice(query + 1)
}
