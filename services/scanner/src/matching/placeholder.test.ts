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
    Buffer.from('changeme123').toString('base64'),
  ])('takes %s for a placeholder', (value) => {
    expect(isPlaceholder(value)).toBe(true)
  })

  it('does not take a login in base64 for a placeholder, whatever its name begins with', () => {
    const login = Buffer.from('my-bot:' + 'Kt3sVNrCtNuPBUKibc').toString('base64')

    expect(isPlaceholder(login)).toBe(false)
  })

  it('does not take random characters for a placeholder', () => {
    expect(isPlaceholder(['ghp', '_wQ7vZ2pLk9', 'Rt4Yb1Nc6Md8'].join(''))).toBe(false)
  })
})

describe('isPublishedSample', () => {
  it('knows a sample by its ending', () => {
    expect(isPublishedSample('AKIAIOSFODNN7EXAMPLE', new Set())).toBe(true)
    expect(isPublishedSample('something', new Set())).toBe(false)
    expect(isPublishedSample('AKIA1EXAMPLE1EXAMPLE', new Set())).toBe(true)
    expect(isPublishedSample('ABSKEXAMPLEEXAMPLEEXAMPLEM=', new Set())).toBe(false)
  })

  it.each([
    [
      'of a signed link',
      [
        'https://b.s3.amazonaws.com/k?X-Amz-Credential=AKIA',
        'EXAMPLE123456789%2F20210621%2Fus-west-2',
      ],
    ],
    [
      'of a session',
      [
        'SessionToken: IQoJb3JpZ2luX2VjEOz//',
        '//wEXAMPLEtMSJHMEUCIDoKK3JH9uGQE1z0sINr5M4jk+Na8KHDcCYRVjJCZEvOAiEA3OvJGtw1EcViOleS2vhs8VdCKFJQWPQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQ==',
      ],
    ],
  ])('lets a key %s pass in which its issuer wrote EXAMPLE', (_what, parts) => {
    expect(scanText(parts.join('')).verdict).toBe('allow')
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
    [
      'Hardhat and Anvil',
      ['PRIVATE_KEY=0xac0974bec39a17e36ba4a6b4d238ff94', '4bacb478cbed5efcae784d7bf4f2ff80'],
    ],
    ['the documentation of GitHub', ['GH_TOKEN=ghp_16C7e42F292c', '6912E7710c838347Ae178B4a']],
    ['the documentation of Slack', ['xoxb-17653672481-19874698323', '-pdFZKVeTuE8sk7oOcBrzbqgy']],
    ['the documentation of Stripe', ['sk_test_BQokikJOvB', 'iI2HlWgH4olfQ2']],
    [
      'the manual of MongoDB',
      ['mongodb+srv://myDatabaseUser:D1fficult', 'P%40ssw0rd@cluster0.abc.mongodb.net/?w=1'],
    ],
    [
      'the documentation of Heroku',
      [
        'machine api.heroku.com\n  login me@host.example\n  password c4cd94da15ea054',
        '4802c2cfd5ec4ead324327430',
      ],
    ],
    [
      'Ganache',
      [
        'MNEMONIC="myth like bonus scare over problem ',
        'client lizard pioneer submit female collect"',
      ],
    ],
  ])('lets the example key of %s pass', (_source, parts) => {
    expect(scanText(parts.join('')).verdict).toBe('allow')
  })
})

describe('isSequential', () => {
  it('tells counting characters from random ones', () => {
    expect(isSequential('12345678-ABCD-ABCD-ABCD-1234567890AB')).toBe(true)
    expect(isSequential('q8Zr1LmW0vTx5KpE')).toBe(false)
  })

  it('finds digits that count on between letters', () => {
    const key = 'a123b45c6d78e9f012a34cd5e6a7890b12c3d45e6f78a1b234c56d7e890a1234'
    expect(isSequential(key)).toBe(true)
    expect(isSequential(key.replace(/[1-9]/g, (digit) => `${10 - Number(digit)}`))).toBe(false)
    expect(
      scanText(
        `This is how a partner account is bound to your own:\n\n\`\`\`\nPRIVATE_KEY="${key}"\n\`\`\``,
      ).verdict,
    ).toBe('allow')
  })
})
