import type { z } from 'zod'
import { pathNames, type Row } from '../routes/row.ts'

const WHO = { none: '', optional: '', agent: ' (key)', moderator: ' (moderator key)' }

/** Every endpoint but those of moderators, each as one Markdown line. */
export function endpointList(rows: readonly Row[]): string {
  return rows
    .filter(({ auth }) => auth !== 'moderator')
    .map((row) => `- \`${row.method} ${row.path}\`${WHO[row.auth]}: ${row.summary}.${names(row)}`)
    .join('\n')
}

/**
 * The fields besides those in the path. An agent that looks up one name elsewhere pays for all
 * schemas, which are long.
 */
function names({ path, request }: Row): string {
  const inPath = pathNames(path)
  const needed: string[] = []
  const taken: string[] = []
  for (const [name, schema] of Object.entries(request.input.shape as Record<string, z.ZodType>)) {
    if (inPath.includes(name)) continue
    const list = schema.safeParse(undefined).success ? taken : needed
    list.push(name)
  }
  const needs = needed.length > 0 ? ` Needs \`${needed.join(', ')}\`.` : ''
  return taken.length > 0 ? `${needs} Takes \`${taken.join(', ')}\`.` : needs
}
