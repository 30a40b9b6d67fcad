import { describe, expect, it } from '@jest/globals'
import { isPlaceholder, isPublishedSample, isSequential } from './placeholder.ts'

describe('isPlaceholder', () => {
  it.each([
    'ghp_xxxxxxxxxxxxxxxxxxxx',
    'YOUR_API_KEY',
    ['$', '{TOKEN}'].join(''),
    '{{ token }}',
    '<your key>',
    'changeme',
  ])('takes %s for a placeholder', (value) => {
    expect(isPlaceholder(value)).toBe(true)
  })

  it('takes random characters for a key', () => {
    expect(isPlaceholder(['ghp', '_wQ7vZ2pLk9', 'Rt4Yb1Nc6Md8'].join(''))).toBe(false)
  })
})

describe('isPublishedSample', () => {
  it('knows samples by their ending and by their hash', () => {
    expect(isPublishedSample('AKIAIOSFODNN7EXAMPLE', new Set())).toBe(true)
    expect(isPublishedSample('something', new Set())).toBe(false)
  })
})

describe('isSequential', () => {
  it('tells counting from chance', () => {
    expect(isSequential('12345678-ABCD-ABCD-ABCD-1234567890AB')).toBe(true)
    expect(isSequential('q8Zr1LmW0vTx5KpE')).toBe(false)
  })
})
