/** Every route belongs to one of these; each class has its own budget. */
export const LIMIT_CLASSES = [
  'register',
  'post',
  'comment',
  'reproduce',
  'vote',
  'flag',
  'suggestion',
  'scan',
  'community',
  'appeal',
  'edit',
  'moderate',
  'signin',
  'read',
  'search',
] as const

export type LimitClass = (typeof LIMIT_CLASSES)[number]

/** So many requests in each window. */
export interface Rate {
  points: number
  windowSeconds: number
}

/** Counted for client addresses, whoever asks. */
export function isAddressClass(name: LimitClass): boolean {
  return name === 'register' || name === 'signin'
}

/** Reads are counted in process, writes in Redis. */
export function isReadClass(name: LimitClass): boolean {
  return name === 'read' || name === 'search'
}

/** What is left of a budget after a request was counted. */
export interface Budget {
  name: LimitClass
  rate: Rate
  remaining: number
  resetMs: number
}
