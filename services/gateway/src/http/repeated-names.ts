import type { FieldError } from '@stoa/shared/errors/errors.js'
import { receivedText } from '@stoa/shared/errors/field-errors.js'

/** How many members all objects in a parsed value have. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = Array.isArray(value) ? 0 : Object.keys(value).length
  for (const part of Object.values(value)) count += countMembers(part)
  return count
}

const NAMES_MAX = 10
/** The tokens that show the members of a JSON text: names, and where objects begin and end. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/g

/** An error for each name that an object in the text has twice. */
export function repeatedNames(text: string): FieldError[] {
  const repeated = new Set<string>()
  const open: Set<string>[] = []
  for (const [token, string = '', colon] of text.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (colon !== undefined) {
      const name: string = JSON.parse(string)
      const names = open.at(-1)
      if (names?.has(name)) repeated.add(name)
      names?.add(name)
    }
  }
  return [...repeated].slice(0, NAMES_MAX).map((name) => {
    const received = receivedText(name)
    const message = 'holds a name twice in one object: send it once'
    return {
      pointer: '',
      code: 'repeated',
      message,
      ...(received === undefined ? {} : { received }),
    }
  })
}
