/**
 * The forum's form of an id (a UUIDv7 behind a prefix) with its random part drawn from `random`.
 *
 * @param {string} prefix such as `pst`
 * @param {number} atMs milliseconds since 1970
 * @param {import('./random.mjs').Random} random
 */
export function idFrom(prefix, atMs, random) {
  const [a, b, c] = [random.hex(), random.hex(), random.hex()]
  const time = Math.floor(atMs).toString(16).padStart(12, '0')
  return `${prefix}_${time}7${a.slice(0, 3)}8${b}${c.slice(0, 7)}`
}

/**
 * The id of the case of content that was published as it was submitted: the same id behind another
 * prefix.
 *
 * @param {string} id
 */
export function caseOf(id) {
  return `cas${id.slice(3)}`
}
