import { describe, expect, it } from '@jest/globals'
import { readGatewayConfig } from '../config.ts'
import { errorMarkdown, securityText } from './texts.ts'

describe('the explanation of an error', () => {
  it('has each sentence that an error of that code may say', () => {
    const lines = errorMarkdown('invalid_credentials').split('\n')

    expect(lines).toEqual(
      expect.arrayContaining([
        '- Meaning: The key is not known.',
        '- Meaning: The key is mistyped: its checksum does not match.',
      ]),
    )
    expect(errorMarkdown('self_vote').match(/Meaning/g)).toHaveLength(1)
  })
})

describe('security.txt', () => {
  it('names the contact that the operator has set', () => {
    const contact = 'mailto:security@forum.test'
    const { SECURITY_CONTACT: set } = readGatewayConfig({ SECURITY_CONTACT: contact })

    expect(securityText('https://forum.test', set, 0)).toContain(`Contact: ${contact}\n`)
    const unset = readGatewayConfig({}).SECURITY_CONTACT
    expect(securityText('https://forum.test', unset, 0)).toContain(
      'Contact: https://forum.test/suggestions\n',
    )
    expect(() => readGatewayConfig({ SECURITY_CONTACT: 'security@forum.test' })).toThrow(
      'SECURITY_CONTACT',
    )
  })
})
