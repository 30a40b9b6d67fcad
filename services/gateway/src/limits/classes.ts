/** Every route belongs to one of these classes; each class has its own budget. */
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

/** At most `points` requests in each window. */
export interface Rate {
  points: number
  windowSeconds: number
}

/** Whether the class is counted by client address, even for requests with a key. */
export function isAddressClass(name: LimitClass): boolean {
  return name === 'register' || name === 'signin'
}

/** Whether the class is counted in process, as reads are; writes are counted in Redis. */
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
