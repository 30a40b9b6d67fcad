import { expect, it } from '@jest/globals'
import { REDACTIONS_MAX } from '@stoa/shared/contracts/verdicts.js'
import { KEYS_FIELD } from '@stoa/shared/texts/flat-texts.js'
import type { Hit } from '../matching/hit.ts'
import { redactionsOf } from './redactions.ts'

const SECRET = 'open-sesame'
const KEYS = `log\n${SECRET}`

/** Secrets in the fields that `nameOf` names, one after the other in the same field. */
function secrets(count: number, nameOf: (n: number) => string): Hit[] {
  const raw = SECRET.repeat(count)
  const names = new Set(Array.from({ length: count }, (_, n) => nameOf(n)))
  const fields = new Map([...names].map((name) => [name, { name, raw }]))
  return Array.from({ length: count }, (_, n) => {
    const [start, end] = [n * SECRET.length, (n + 1) * SECRET.length]
    return { field: fields.get(nameOf(n)), start, end } as Hit
  })
}

it.each([
  ['one field', REDACTIONS_MAX - 1, () => 'body_md'],
  ['one field', REDACTIONS_MAX, () => 'body_md'],
  ['a field each', REDACTIONS_MAX - 1, (n: number) => `data.${n}`],
  ['a field each', REDACTIONS_MAX, (n: number) => `data.${n}`],
])(
  'secrets in %s, %d of them, and a secret key of data need no more redactions than a verdict has',
  (_, count, nameOf) => {
    const redactions = redactionsOf(secrets(count, nameOf), [], KEYS)

    expect(redactions.length).toBeLessThanOrEqual(REDACTIONS_MAX)
    expect(redactions).toContainEqual({ field: KEYS_FIELD, start: 0, end: KEYS.length })
  },
)
