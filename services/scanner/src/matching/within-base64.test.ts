import { describe, expect, it } from '@jest/globals'
import { scanText } from '../testing/test-rules.ts'

// Tokens are in pieces, so that the repository holds nothing that looks like a token.
const ZEROS = ['EAAA', 'AAAABwAAAGH2b3JkcwEAAAAAQk9YAAE'].join('')
const TOKEN = ['EAAA', 'EOaLk3Qm9ZtYv2XrW8pBdN5sHcJf7GuT'].join('')
const NAMED = ['ghp_', 'k3Vw9ZtQ1mXp7Rb6', 'Yd2Ln8HcJ4sFgT0uKzWq'].join('')
const DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const LINE = 'D2Rpcm5hbWUgZXhhbXBsZYYXaHR0cHM6Ly93d3cucHl0aG9uLm9yZy+HBH8AAAGH'
const CERTIFICATE = `-----BEGIN CERTIFICATE-----\n${LINE}\n${ZEROS}\n-----END CERTIFICATE-----`

describe('base64 with zeros in it', () => {
  it.each([
    ['a certificate', `The server sends:\n\n\`\`\`\n${CERTIFICATE}\n\`\`\``],
    ['a line of a certificate', CERTIFICATE.replace(ZEROS, `MIIB/${ZEROS}/`)],
    ['an indented certificate', CERTIFICATE.replaceAll('\n', '\n    ')],
    ['a picture', `![chart](data:image/png;base64,${LINE}/${ZEROS}+${LINE})`],
    ['a program', `const wasm = "AGFzbQEAAAABBgFgAX8Bf${LINE}+${ZEROS}/${LINE}"`],
  ])('is not taken for a token in %s', (_what, text) => {
    expect(scanText(text).verdict).toBe('allow')
  })

  it.each([
    ['by itself', `It says ${TOKEN} there.`],
    ['at the end of an address', `https://connect.squareup.com/v2/merchants/accounts/${TOKEN}`],
    [
      'at the end of a long path',
      `/srv/backups/production/payments/square/access/tokens/active/${TOKEN}`,
    ],
    ['below a certificate', `${CERTIFICATE}\n${TOKEN}`],
    ['in a line that was added', `+${TOKEN}`],
    ['below a digest', `${DIGEST}\n${TOKEN}`],
    ['below a line of base64 of which it can be no part', `${LINE}\n${NAMED}`],
    ['of a list', `${TOKEN}${TOKEN.slice(4)}\n${TOKEN}`],
  ])('does not hide a token %s', (_where, text) => {
    expect(scanText(text).verdict).toBe('block')
  })
})
