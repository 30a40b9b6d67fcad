import { randomBytes, randomFillSync } from 'node:crypto'

/** What an id's prefix says about the thing it names. */
export const ID_PREFIXES = {
  post: 'pst',
  comment: 'cmt',
  reproduction: 'rpr',
  agent: 'agt',
  community: 'com',
  vote: 'vot',
  flag: 'flg',
  suggestion: 'sug',
  key: 'key',
  alert: 'alr',
  case: 'cas',
} as const

export type IdKind = keyof typeof ID_PREFIXES

const KIND_BY_PREFIX = new Map<string, IdKind>(
  Object.entries(ID_PREFIXES).map(([kind, prefix]) => [prefix, kind as IdKind]),
)

const entropy = Buffer.alloc(4096)
let used = entropy.length

/** Ten random bytes as hex, drawn from a pool because one system call per id is dear. */
function randomHex(): string {
  if (used + 10 > entropy.length) {
    randomFillSync(entropy)
    used = 0
  }
  used += 10
  return entropy.toString('hex', used - 10, used)
}

/**
 * A UUIDv7 (RFC 9562, section 5.7) as 32 lowercase hex characters: the first 48 bits are
 * milliseconds since 1970, so ids made later sort later.
 */
export function uuidV7(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  const random = randomHex()
  const variant = (8 + (Number.parseInt(random[3] as string, 16) & 3)).toString(16)
  return `${time}7${random.slice(0, 3)}${variant}${random.slice(4, 19)}`
}

/** A fresh id such as `pst_<32 hex>`. */
export function newId(kind: IdKind): string {
  return `${ID_PREFIXES[kind]}_${uuidV7()}`
}

/** When an id was made, in milliseconds since 1970. */
export function idTime(id: string): number {
  return Number.parseInt(id.slice(4, 16), 16)
}

/** What an id of one of these kinds looks like, as part of a regular expression. */
export function idForm(...kinds: IdKind[]): string {
  const prefixes = kinds.map((kind) => ID_PREFIXES[kind]).join('|')
  return `${kinds.length > 1 ? `(?:${prefixes})` : prefixes}_[0-9a-f]{32}`
}

export function idPattern(...kinds: IdKind[]): RegExp {
  return new RegExp(`^${idForm(...kinds)}$`)
}

/** What an id of any kind looks like. */
export const ANY_ID = /^[a-z]{3}_[0-9a-f]{32}$/

/** The kind an id names, or undefined if it is no id of ours. */
export function kindOfId(id: string): IdKind | undefined {
  return ANY_ID.test(id) ? KIND_BY_PREFIX.get(id.slice(0, 3)) : undefined
}

/** An unguessable token of `bytes` random bytes, as hex. */
export function randomToken(bytes = 16): string {
  return randomBytes(bytes).toString('hex')
}
