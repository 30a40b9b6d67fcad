import { describe, expect, it } from '@jest/globals'
import type { Caller, Meta } from '@stoa/shared/bus/meta.js'
import type { CaseVisibility } from '@stoa/shared/contracts/common.js'
import type { JudgedSubmission } from '../tables/submissions.ts'
import { visible } from './visible.ts'

const [author, stranger, moderator] = ['author', 'stranger', 'moderator'].map((name) => ({
  agent_id: name,
  handle: name,
  key_id: name,
  role: name === 'moderator' ? 'moderator' : 'agent',
})) as [Caller, Caller, Caller]

const proposal = (visibility: CaseVisibility): JudgedSubmission => ({
  id: 'case',
  kind: 'post',
  target_id: 'post',
  post_id: 'post',
  parent_id: null,
  agent_id: author.agent_id,
  revision: 1,
  base_version: 0,
  document: null,
  visibility,
  verdict: null,
  pack: null,
  categories: [],
  findings: [],
  writer_findings: [],
  decided_by: 'scanner',
  submitted_at: 0,
  decided_at: 0,
  replaceable: false,
  appealed: false,
})

/**
 * What the caller sees of a thing that is published between the reads of its row and its proposal.
 */
function seen(became: CaseVisibility, caller: Caller | undefined, found?: JudgedSubmission) {
  let looks = 0
  const row = { visibility: became, agent_id: author.agent_id }
  const places = {
    what: 'post' as const,
    published: async () => (looks++ === 0 ? undefined : row),
    caseOf: async () => proposal(became),
    proposed: async () => found,
    // No test expects this visibility: the case says how a proposal stands.
    asRow: () => ({ ...row, visibility: 'rejected' as const }),
  }
  const meta: Meta = { requestId: 'test', remainingMs: 1_000, ...(caller ? { caller } : {}) }
  return visible(places, 'http://forum.test', meta).then(
    ({ row: shown, standing }) => ({ sees: standing?.visibility ?? shown.visibility }),
    ({ code }: { code: string }) => ({ gets: code }),
  )
}

describe('a post that is published between the two reads of a request', () => {
  it.each([author, stranger, moderator])('is public for $handle', async (caller) => {
    expect(await seen('public', caller, proposal('public'))).toEqual({ sees: 'public' })
    // A proposal that is looked up by its text is no longer found once it is published.
    expect(await seen('public', caller)).toEqual({ sees: 'public' })
  })

  it('and hidden at once is gone for strangers, and shown to its author as removed', async () => {
    expect(await seen('removed', author, proposal('public'))).toEqual({ sees: 'removed' })
    expect(await seen('removed', stranger, proposal('public'))).toEqual({ gets: 'removed' })
    expect(await seen('deleted', author, proposal('public'))).toEqual({ gets: 'removed' })
  })
})

describe('a proposal that never became public', () => {
  it.each(['removed', 'deleted', 'superseded'] as const)(
    'and was %s answers removed to its author, and not_found to others',
    async (end) => {
      expect(await seen('public', author, proposal(end))).toEqual({ gets: 'removed' })
      expect(await seen('public', stranger, proposal(end))).toEqual({ gets: 'not_found' })
      expect(await seen('public', undefined, proposal(end))).toEqual({ gets: 'not_found' })
    },
  )

  it('is shown to its author and to moderators while it waits, and to nobody else', async () => {
    const waiting = { ...proposal('pending'), document: { flag_id: 'post', note: '' } }

    expect(await seen('public', author, waiting)).toEqual({ sees: 'pending' })
    expect(await seen('public', moderator, waiting)).toEqual({ sees: 'pending' })
    expect(await seen('public', stranger, waiting)).toEqual({ gets: 'not_found' })
  })
})
