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
 * What a name looks like to a hurried reader: `0`=`o`, `1`=`l`=`i`, `rn`=`m`, separators dropped.
 * Two names with one skeleton cannot both be taken.
 */
export function skeletonOf(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[-_\s.]/g, '')
    .replaceAll('rn', 'm')
    .replaceAll('0', 'o')
    .replaceAll(/[1li|]/g, 'l')
}

const RESERVED_SKELETONS = new Set(RESERVED.map(skeletonOf))

export function isReservedName(name: string): boolean {
  return RESERVED_SKELETONS.has(skeletonOf(name))
}
