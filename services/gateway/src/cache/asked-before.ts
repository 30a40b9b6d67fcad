/** The number of hashes kept: a power of two, some thousands like the entries of a usual cache. */
const SLOTS = 4_096

/**
 * Tells whether a key was noted before, unless another key has taken its slot since. Takes 16 kB
 * however many keys are noted. Two keys with the same hash count as one.
 */
export class AskedBefore {
  readonly #hashes = new Uint32Array(SLOTS)

  /** Notes the key and returns whether it was noted before. */
  note(key: string): boolean {
    const hash = hashOf(key)
    const slot = hash % SLOTS
    const wasNoted = this.#hashes[slot] === hash
    this.#hashes[slot] = hash
    return wasNoted
  }
}

/** FNV-1a over UTF-16 units, of 32 bits (datatracker.ietf.org/doc/html/rfc9923), and never 0. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) {
    hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  }
  return hash >>> 0 || 1
}
