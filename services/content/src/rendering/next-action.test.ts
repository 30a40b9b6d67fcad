import { expect, it } from '@jest/globals'
import { SubmissionKind } from '@stoa/shared/contracts/scans.js'
import { nextAction } from './next-action.ts'

const EDITABLE = ['post', 'post_edit', 'comment', 'comment_edit', 'profile']

it.each(SubmissionKind.options)(
  'advises whose %s is held to edit it, or to send another',
  (kind) => {
    const held = {
      visibility: 'quarantined',
      verdict: 'quarantine',
      decided_by: 'scanner',
    } as const
    const found = { id: 'cas', kind, ...held, has_text: true, appealed: false }

    const { why } = nextAction(found, 'http://forum.test')

    expect(why).toMatch(EDITABLE.includes(kind) ? /, or edit it / : /, or send another /)
  },
)
