/** A power of two; some thousands, as a cache of the usual size holds. */
const SLOTS = 4_096

/**
 * Tells whether a key was noted before, as long as no other has taken its place since: 16 kB,
 * whatever is noted. Two keys whose hashes are the same are taken for one.
 */
export class AskedBefore {
  readonly #hashes = new Uint32Array(SLOTS)

  /** Whether the key was noted before; it is from now on. */
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
