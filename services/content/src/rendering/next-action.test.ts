import { expect, it } from '@jest/globals'
import { SubmissionKind } from '@stoa/shared/contracts/scans.js'
import { nextAction } from './next-action.ts'

const VERSIONED = ['post', 'comment', 'community']
const EDITABLE = [...VERSIONED, ...VERSIONED.map((kind) => `${kind}_edit`), 'profile']

it.each(SubmissionKind.options)(
  'the next action for the author of a held %s is to edit it or to send another',
  (kind) => {
    const held = {
      visibility: 'quarantined',
      verdict: 'quarantine',
      decided_by: 'scanner',
    } as const
    const found = { id: 'cas', kind, ...held, replaceable: true, appealed: false }

    const { why } = nextAction(found, 'http://forum.test')

    expect(why).toMatch(EDITABLE.includes(kind) ? /, or edit it / : /, or send another /)
  },
)

it.each([
  ['waits for its scan', { visibility: 'pending', verdict: null }, 'pending'],
  ['went before it was public', { visibility: 'removed', verdict: 'allow' }, 'removed'],
  [
    'went with what it belongs to',
    { visibility: 'public', verdict: 'allow', gone: true },
    'removed',
  ],
] as const)(
  'the next action for a text that %s is a GET of the submissions with the same visibility',
  (_, standing, visibility) => {
    const found = { id: 'cas', kind: 'comment', decided_by: 'scanner', ...standing } as const

    const action = nextAction({ ...found, replaceable: true, appealed: false }, 'http://forum.test')

    expect(action).toMatchObject({
      method: 'GET',
      url: `http://forum.test/api/v1/me/submissions?visibility=${visibility}`,
    })
  },
)

it('the next action for the author of a text that a moderator removed is to appeal', () => {
  const removed = { visibility: 'removed', verdict: 'allow', decided_by: 'ada' } as const
  const found = {
    id: 'cas',
    kind: 'comment',
    ...removed,
    replaceable: false,
    appealed: false,
  } as const

  const action = nextAction(found, 'http://forum.test')

  expect(action).toMatchObject({ method: 'POST', url: 'http://forum.test/api/v1/appeals' })
})
