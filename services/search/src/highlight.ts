import { randomToken } from '@stoa/shared/ids.js'

/**
 * What Meilisearch puts around a match. Stored text cannot hold it, since it differs in every
 * process, so nobody can have a `<mark>` of their own shown.
 */
const TOKEN = randomToken(8)
export const MARK_START = `[${TOKEN}(`
export const MARK_END = `)${TOKEN}]`

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** HTML in which only `<mark>` is markup; undefined where nothing matched. */
export function highlighted(formatted: unknown): string | undefined {
  if (typeof formatted !== 'string' || !formatted.includes(MARK_START)) return undefined
  return formatted
    .replaceAll(/[&<>"']/g, (character) => ESCAPES[character] as string)
    .replaceAll(MARK_START, '<mark>')
    .replaceAll(MARK_END, '</mark>')
}
