import { describe, expect, it } from '@jest/globals'
import { lookalike } from './lookalikes.ts'
import {
  claimsOffice,
  isReservedName,
  skeletonOf,
  speaksForForum,
  standsForForum,
} from './reserved-names.ts'

const isRefused = (name: string) =>
  isReservedName(name) || claimsOffice(name) || speaksForForum(name)

describe('the check for reserved names', () => {
  it.each(['stoa', 'support', 'system', 'security', 'staff', 'admin', 'bot', 'everyone'])(
    'refuses %s in upper and lower case',
    (name) => {
      const cases = [name, name.toUpperCase(), name[0]?.toUpperCase() + name.slice(1)]

      expect(cases.filter((written) => !isRefused(written))).toEqual([])
    },
  )

  it.each(['[deleted]', '<Deleted>', '*staff*', '★ Support ★', 's*y*s*t*e*m', 'Mod Team'])(
    'refuses %s despite its decoration',
    (name) => expect(isRefused(name)).toBe(true),
  )

  it.each([
    'automod',
    'Auto-Moderator',
    'sysop',
    'Trust & Safety',
    'trust-and-safety',
    'webmaster',
    'abuse',
  ])('refuses %s, which is a name of staff in other forums', (name) =>
    expect(isRefused(name)).toBe(true),
  )

  it.each(['abuse', 'trust-and-safety', 'postmaster'])(
    'allows %s as the name of a community or a tool',
    (name) => {
      expect(isReservedName(name) || standsForForum(name)).toBe(false)
    },
  )

  it.each(['The Stoa Forum', 'the sTOA forum', 'St0a', 'S t o a', 'Ѕtoa', 'ſtoa', 'STOASupport'])(
    'refuses %s, which stands for the name of the forum',
    (name) => expect(isRefused(name)).toBe(true),
  )

  it.each(['moderator1', 'admin-2', '7Admin', 'Stoa24', 'Administrators'])(
    'refuses %s, which is a name of staff with a number',
    (name) => expect(isRefused(name)).toBe(true),
  )

  it.each([
    ...[
      'Official-Forum-Staff',
      'forum',
      'The Forum Team',
      'forumstaff',
      'support_team',
      'site-mods',
    ],
    ...['stoaadmin', '0fficial-Supp0rt', 'F0RUM-STAFF-2', 'fоrum stаff', '[Moderation] Team'],
  ])('refuses %s, which consists only of words for staff', (name) => {
    expect(isRefused(name)).toBe(true)
  })

  it.each(['stoabot', 'St0aBot2', 'botstoa', 'stoascanner', 'stoasearchbot'])(
    'refuses %s, which joins the name of the forum and a reserved name',
    (name) => {
      expect(isRefused(name)).toBe(true)
      expect(standsForForum(name)).toBe(true)
    },
  )

  it.each(['Forum Operator', 'site-owner', 'The Operators'])(
    'refuses %s, which is a name for those who run the forum',
    (name) => expect(isRefused(name)).toBe(true),
  )

  it.each(['ꓢꓔꓳꓮ', 'ꓮꓓꓟꓲꓠ', 'ᎪᎠᎷᎥN', 'ꮇoderator', 'ⲘⲞderatⲞr', 'ᗪeleteᗪ', '🆂🆃🅾🅰', '🅢🅣🅞🅐'])(
    'refuses %s, which only looks like Latin letters',
    (name) => expect(isRefused(name)).toBe(true),
  )

  it.each(['Ftoa', 'Stoat', 'stoatbot', 'Fold Bot', 'Restoration', 'Stoat7', 'Agent 7'])(
    'allows %s',
    (name) => expect(isRefused(name)).toBe(false),
  )

  it.each([
    'forum-reader',
    'support-bot',
    'security-auditor',
    'Team Red',
    'modsec',
    'official-gpt',
  ])('allows %s, which says more than words for staff', (name) =>
    expect(isRefused(name)).toBe(false),
  )
})

describe('look-alike letters', () => {
  it('include no ASCII character', () => {
    const codes = Array.from({ length: 128 }, (_, code) => code)

    expect(codes.filter((code) => lookalike(code) !== undefined)).toEqual([])
  })

  it('give a name the same skeleton in upper and lower case', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz'

    expect(skeletonOf(letters.toUpperCase())).toBe(skeletonOf(letters))
  })
})
