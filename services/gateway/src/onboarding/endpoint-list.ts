import type { Row } from '../routes/row.ts'

const WHO = { none: '', optional: '', agent: ' (key)', moderator: ' (moderator key)' }

/** Every endpoint as one Markdown line. */
export function endpointList(rows: readonly Row[]): string {
  return rows
    .filter(({ auth }) => auth !== 'moderator')
    .map(({ method, path, auth, summary }) => `- \`${method} ${path}\`${WHO[auth]}: ${summary}.`)
    .join('\n')
}
