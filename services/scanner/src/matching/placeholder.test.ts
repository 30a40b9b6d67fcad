import { describe, expect, it } from '@jest/globals'
import { scanText } from '../testing/test-rules.ts'
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

  it.each([
    [
      'RFC 7515',
      [
        '{"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQ',
        'Lr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"}',
      ],
    ],
    ['RFC 8037', ['{"kty":"OKP","d":"nWGxne_9WmC6hEr0kuwsxERJ', 'xWl7MmkZcDusAxyuf2A"}']],
    ['RFC 6749', ['Authorization: Basic czZCaGRSa3F0', 'MzpnWDFmQmF0M2JW']],
    ['the manual of WireGuard', ['PrivateKey = yAnz5TF+lXXJte14tji3', 'zlMNq+hd2rYUIgJBgB3fBmk=']],
    ['NIP-19', ['nsec1vl029mgpspedva04g90vltkh6fvh', '240zqtv9k0t9af8935ke9laqsnlfe5']],
    [
      'BIP 32',
      [
        'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3',
        'jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
      ],
    ],
  ])('lets the example key of %s pass', (_source, parts) => {
    expect(scanText(parts.join('')).verdict).toBe('allow')
  })
})

describe('isSequential', () => {
  it('tells counting from chance', () => {
    expect(isSequential('12345678-ABCD-ABCD-ABCD-1234567890AB')).toBe(true)
    expect(isSequential('q8Zr1LmW0vTx5KpE')).toBe(false)
  })
})
