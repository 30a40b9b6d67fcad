/** The names of ranking's keys. The braces put them all in one slot of a Redis cluster. */
export interface Keys {
  /** Written now and then, to learn whether Redis takes writes. */
  probe: string
  /** Token of the active worker. */
  lease: string
  /** Hash: generation, position, stream. Absent while nothing has been built. */
  marker: string
  /** Set: every generation that has keys. */
  generations: string
  /** Hash: state, done, total. */
  rebuild: string
  /** The beginning of the keys of one generation, before the generation's name. */
  generationPrefix: string
}

export function keysOf(prefix: string): Keys {
  const root = `{${prefix}rank}:`
  return {
    probe: `${root}probe`,
    lease: `${root}lease`,
    marker: `${root}marker`,
    generations: `${root}generations`,
    rebuild: `${root}rebuild`,
    generationPrefix: `${root}g:`,
  }
}

/**
 * The keys of one generation, after its prefix and name; the scripts build the same names. `sets`
 * holds the name of each sorted set that exists: '' for the whole forum, ':<slug>' for a community.
 * `filled` counts the posts of the snapshot that have been added.
 */
export const GENERATION_KEYS = ['revisions', 'floors', 'gone', 'sets', 'filled'] as const

/**
 * A member of `revisions`, `floors` and `sets` from the first moment of a generation. A full Redis
 * may be set to drop keys; a key that was dropped and written again lacks this member.
 */
export const SENTINEL = '#'
