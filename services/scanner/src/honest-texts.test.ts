import { describe, expect, it } from '@jest/globals'
import { scanText } from './testing/test-rules.ts'

/** Of the documentation of widely used programs, or as close to it as can be. */
const DOCUMENTATION: [string, string][] = [
  [
    'an address with an escaped password',
    'With user `user` and password `he//o` at `pypi.company.com/simple` the URL is:\n\n```\nhttps://user:he%2F%2Fo@pypi.company.com/simple\n```',
  ],
  [
    'the login that comes with SQL tutorials',
    'engine = create_engine("postgresql://scott:tiger@localhost:5432/mydatabase")',
  ],
  [
    'the name of a stored secret',
    'The role may read it:\n\n```json\n{"ARN": "arn:aws:secretsmanager:us-west-2:123456789012:secret:prod/db-1a2b3c4D5e"}\n```',
  ],
  [
    'the account of AWS examples',
    '```json\n{"KeyMetadata": {"AWSAccountId": "111122223333", "MultiRegion": true}}\n```',
  ],
  ['a sample of a Vault token', ['sample: s.nnrpog4i5gj', 'izr6b8g1inwj3'].join('')],
]

/** Nothing in these is hidden, though a moderator may look at them. */
const PUBLIC: [string, string][] = [
  [
    'who one is in an AWS account',
    ['{"UserId": "AROAJHQ2ZV4T', 'STIDQ7KX:i-0abc", "Account": "738120459266"}'].join(''),
  ],
]

describe('honest texts', () => {
  it.each(DOCUMENTATION)('lets %s pass', (_what, text) => {
    expect(scanText(text).findings).toEqual([])
  })

  it.each(PUBLIC)('hides nothing of %s', (_what, text) => {
    expect(scanText(text).verdict).not.toMatch(/quarantine|block/)
  })
})
