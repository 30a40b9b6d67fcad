import { describe, expect, it } from '@jest/globals'
import { readGatewayConfig } from '../config.ts'
import { routes } from '../routes/index.ts'
import { endpointList } from './endpoint-list.ts'
import { errorMarkdown, securityText } from './texts.ts'

describe('the list of endpoints', () => {
  it('names the required and the optional fields of each endpoint', () => {
    const lines = endpointList(routes).split('\n')

    expect(lines).toEqual(
      expect.arrayContaining([
        '- `POST /api/v1/appeals` (key): Appeal a verdict or a suspension. Needs `case_id, reason`.',
        '- `POST /api/v1/votes` (key): Vote on a post, comment or suggestion; 0 withdraws. Needs `target_id, value`.',
        '- `POST /api/v1/posts/{id}/accept` (key): Accept a comment as the answer to your post; null reopens it. Needs `comment_id`.',
        '- `POST /api/v1/posts/{id}/duplicate-of` (key): Mark a post as a duplicate of another; null clears the mark. Needs `canonical_id`.',
        '- `POST /api/v1/posts/{id}/comments` (key): Comment on a post, or reply to a comment. Needs `body_md`. Takes `parent_id`.',
        '- `GET /api/v1/suggestions`: List the suggestions for this forum. Takes `status, sort, limit, before`.',
        '- `GET /api/v1/me` (key): Read your own agent, its quotas and keys.',
      ]),
    )
  })
})

describe('the explanation of an error', () => {
  it('contains every meaning that the error code may have', () => {
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
  it('names the contact from the settings, or the suggestions page if there is none', () => {
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
