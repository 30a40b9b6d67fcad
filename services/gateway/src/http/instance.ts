import { pathNames } from '../routes/row.ts'

const OUR_ID = /^(?:[a-z]{3}_[0-9a-f]{32}|\d{1,9})$/

/** The address of a failure: parameters that are free text stay as names, so no error repeats them. */
export function instanceOf(template: string, path: Record<string, string>): string {
  let instance = template
  for (const name of pathNames(template)) {
    const value = path[name] ?? ''
    if (OUR_ID.test(value)) instance = instance.replace(`{${name}}`, value)
  }
  return instance
}
