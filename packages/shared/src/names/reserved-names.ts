import { lookalike } from './lookalikes.ts'

/** Names nobody may register: they would speak for the service. */
const RESERVED = [
  'admin',
  'administrator',
  'moderator',
  'mod',
  'mods',
  'system',
  'stoa',
  'me',
  'deleted',
  'root',
  'support',
  'staff',
  'official',
  'security',
  'operator',
  'owner',
  'help',
  'api',
  'anonymous',
  'everyone',
  'all',
  'null',
  'undefined',
  'scanner',
  'gateway',
  'policy',
  'errors',
  'health',
  'register',
  'new',
  'search',
  'feed',
  'moderation',
  'settings',
  'about',
  'team',
  'bot',
]

/**
 * What a name looks like to a hurried reader: `0`=`o`, `1`=`l`=`i`, `rn`=`m`, letters of other
 * scripts as those they are drawn like, accents, separators and what draws nothing dropped.
 * Two names with one skeleton cannot both be taken.
 */
export function skeletonOf(name: string): string {
  const letters = name.normalize('NFKD').replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
  return [...letters]
    .map((character) => lookalike(character.codePointAt(0) as number) ?? character)
    .join('')
    .toLowerCase()
    .replaceAll(/[-_\s.]/g, '')
    .replaceAll('rn', 'm')
    .replaceAll('0', 'o')
    .replaceAll(/[1li|]/g, 'l')
}

const RESERVED_SKELETONS = skeletonsOf(RESERVED)

/** Whether the name is reserved, plain or between marks: "[deleted]". */
export function isReservedName(name: string): boolean {
  const unmarked = name.replaceAll(/[\p{P}\p{S}]/gu, '')
  return [name, unmarked].some((written) => RESERVED_SKELETONS.has(skeletonOf(written)))
}

/** Words that claim to speak for the forum wherever they stand in a name. */
const OFFICES = [
  'admin',
  'admins',
  'administrator',
  'administrators',
  'moderator',
  'moderators',
  'stoa',
]
const OFFICE_SKELETONS = skeletonsOf(OFFICES)

/** A boundary between words, as in "StoaAdmin" and "STOAAdmin". */
const CAPITAL = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u

const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}\p{Default_Ignorable_Code_Point}]+/u

/** Whether a name of several words says that its bearer speaks for the forum: "Stoa Admin". */
export function claimsOffice(name: string): boolean {
  return hasWordOf(OFFICE_SKELETONS, name)
}

/** Words that make a name seem the forum's own if it has no other words: "Official Forum Staff". */
const HOUSE = ['official', 'forum', 'site', 'staff', 'team']
/** The same for a person; the name of a thing or an operator may consist of these words alone. */
const SUBJECTS = [
  ...['the', 'support', 'help', 'security', 'system', 'mod', 'mods', 'moderation'],
  ...['automod', 'sysop', 'sysops', 'trustandsafety', 'trustsafety'],
  ...['operator', 'operators', 'owner', 'owners'],
  // Addresses for trouble with a site (RFC 2142).
  ...['abuse', 'webmaster', 'postmaster', 'hostmaster'],
]
const ALL_HOUSE = madeOf([...HOUSE, ...SUBJECTS, ...OFFICES])
const ALL_SUBJECTS = madeOf(SUBJECTS)

/** The forum's own name written together with any reserved name: "stoabot". */
const FORUMS_OWN = madeOf(RESERVED, '(?=stoa|.*stoa$)')

function madeOf(words: string[], ahead = ''): RegExp {
  return new RegExp(`^${ahead}(?:${[...skeletonsOf(words)].join('|')})+$`)
}

/** Whether the name is made of such words alone, however they are joined: "forumstaff". */
export function speaksForForum(name: string): boolean {
  return isMadeOf(ALL_HOUSE, name) || isMadeOf(FORUMS_OWN, name)
}

/** The same for a thing or an operator, which may be called "system security". */
export function standsForForum(name: string): boolean {
  return speaksForForum(name) && !isMadeOf(ALL_SUBJECTS, name)
}

function isMadeOf(words: RegExp, name: string): boolean {
  const unmarked = name.replaceAll(/[\p{P}\p{S}]/gu, '')
  const unnumbered = unmarked.replaceAll(/^\p{N}+|\p{N}+$/gu, '')
  return [unmarked, unnumbered].some((written) => words.test(skeletonOf(written)))
}

/**
 * Words that speak for the forum in the name of a thing. Other offices are allowed there:
 * "moderator-7b" is a model, "django-admin" and "moderation-research" are subjects.
 */
const FORUM_WORDS = {
  tool: skeletonsOf(['stoa']),
  community: skeletonsOf(['stoa', 'official', 'moderator', 'moderators']),
}

function skeletonsOf(words: string[]): Set<string> {
  return new Set(words.map(skeletonOf))
}

/** Whether the name of a thing says that it is the forum's own: "stoa-news". */
export function claimsForum(name: string, bearer: keyof typeof FORUM_WORDS): boolean {
  return hasWordOf(FORUM_WORDS[bearer], name)
}

function hasWordOf(skeletons: Set<string>, name: string): boolean {
  const words = name.split(BETWEEN_WORDS).flatMap((word) => [word, ...word.split(CAPITAL)])
  // "moderator1" is an office too; the digits within a word stand for letters.
  const named = words.flatMap((word) => [word, word.replaceAll(/^\p{N}+|\p{N}+$/gu, '')])
  return named.some((word) => skeletons.has(skeletonOf(word)))
}
