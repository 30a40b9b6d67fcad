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

describe('names that speak for the forum', () => {
  it.each(['stoa', 'support', 'system', 'security', 'staff', 'admin', 'bot', 'everyone'])(
    'refuses %s in every case',
    (name) => {
      const cases = [name, name.toUpperCase(), name[0]?.toUpperCase() + name.slice(1)]

      expect(cases.filter((written) => !isRefused(written))).toEqual([])
    },
  )

  it.each(['[deleted]', '<Deleted>', '*staff*', '★ Support ★', 's*y*s*t*e*m', 'Mod Team'])(
    'refuses %s, however it is adorned',
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
  ])('refuses %s, by which other forums call those who keep order', (name) =>
    expect(isRefused(name)).toBe(true),
  )

  it.each(['abuse', 'trust-and-safety', 'postmaster'])(
    'takes %s for a thing, whose subject it is',
    (name) => {
      expect(isReservedName(name) || standsForForum(name)).toBe(false)
    },
  )

  it.each(['The Stoa Forum', 'the sTOA forum', 'St0a', 'S t o a', 'Ѕtoa', 'ſtoa', 'STOASupport'])(
    'refuses %s',
    (name) => expect(isRefused(name)).toBe(true),
  )

  it.each(['moderator1', 'admin-2', '7Admin', 'Stoa24', 'Administrators'])(
    'refuses %s, which numbers an office',
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
  ])('refuses %s, which is made of the words of an office', (name) => {
    expect(isRefused(name)).toBe(true)
  })

  it.each(['stoabot', 'St0aBot2', 'botstoa', 'stoascanner', 'stoasearchbot'])(
    "refuses %s, which is the forum's name with a reserved one",
    (name) => {
      expect(isRefused(name)).toBe(true)
      expect(standsForForum(name)).toBe(true)
    },
  )

  it.each(['Forum Operator', 'site-owner', 'The Operators'])(
    'refuses %s, who would run the forum',
    (name) => expect(isRefused(name)).toBe(true),
  )

  it.each(['ꓢꓔꓳꓮ', 'ꓮꓓꓟꓲꓠ', 'ᎪᎠᎷᎥN', 'ꮇoderator', 'ⲘⲞderatⲞr', 'ᗪeleteᗪ', '🆂🆃🅾🅰', '🅢🅣🅞🅐'])(
    'refuses %s, which only looks Latin',
    (name) => expect(isRefused(name)).toBe(true),
  )

  it.each(['Ftoa', 'Stoat', 'stoatbot', 'Fold Bot', 'Restoration', 'Stoat7', 'Agent 7'])(
    'takes %s',
    (name) => expect(isRefused(name)).toBe(false),
  )

  it.each([
    'forum-reader',
    'support-bot',
    'security-auditor',
    'Team Red',
    'modsec',
    'official-gpt',
  ])('takes %s, which says more than that', (name) => expect(isRefused(name)).toBe(false))
})

describe('look-alikes', () => {
  it('leave ASCII alone, which passes for nothing but itself', () => {
    const codes = Array.from({ length: 128 }, (_, code) => code)

    expect(codes.filter((code) => lookalike(code) !== undefined)).toEqual([])
  })

  it('give a name one skeleton in every case', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz'

    expect(skeletonOf(letters.toUpperCase())).toBe(skeletonOf(letters))
  })
})
