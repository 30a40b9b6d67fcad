import { deflateSync } from 'node:zlib'
import { expect, it } from '@jest/globals'
import { shippedRules } from '../testing/test-rules.ts'
import { DECODED_LENGTH_MAX } from './decode.ts'
import { newReadingEffort, readField } from './field.ts'

it('readField decodes no more text in many fields of an item than in one', () => {
  const packed = deflateSync('a b '.repeat(15_500)).toString('base64')
  const effort = newReadingEffort(40_000)

  const fields = Array.from({ length: 8 }, (_, index) =>
    readField(`data.${index}`, `${packed} ${packed}`, shippedRules(), effort),
  )

  const decoded = fields.flatMap(({ exact }) => exact.filter(({ chain }) => chain.length > 0))
  const length = decoded.reduce((sum, { text }) => sum + text.length, 0)
  expect(length).toBeLessThanOrEqual(DECODED_LENGTH_MAX)
  expect(length).toBeGreaterThan(DECODED_LENGTH_MAX / 4)
})
