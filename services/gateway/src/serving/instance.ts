import { filledPath } from '../routes/row.ts'

const OUR_ID = /^(?:[a-z]{3}_[0-9a-f]{32}|\d{1,9})$/

/**
 * The path that a problem document names as `instance`. Parameters that are free text stay as
 * names, so that no error repeats them; their braces are percent-encoded, because `instance` is a
 * URI reference (RFC 9457, 3.1.5).
 */
export function instanceOf(template: string, path: Record<string, string>): string {
  return filledPath(template, (name) => {
    const value = path[name] ?? ''
    return OUR_ID.test(value) ? value : `%7B${name}%7D`
  })
}
