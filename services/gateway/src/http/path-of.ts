/** The path of a request line, which may be a whole address (RFC 9112, 3.2.2). */
export function pathOf(target = '/'): string {
  const line = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '')
  const query = line.indexOf('?')
  return query < 0 ? line : line.slice(0, query)
}
