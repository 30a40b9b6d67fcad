/**
 * Runs variants in turn, round after round, and every other round the other way about, so that
 * what the machine does besides falls on all of them alike. A round before the first is for
 * warming up and does not count.
 *
 * @template R
 * @param {number} rounds that count
 * @param {Record<string, (round: number) => Promise<R>>} variants `round` is -1 for the warm-up
 * @param {(done: number, total: number, what: string) => void} onProgress
 * @returns {Promise<Record<string, R[]>>} results by variant, in the order of the rounds
 */
export async function alternate(rounds, variants, onProgress) {
  const names = Object.keys(variants)
  /** @type {Record<string, R[]>} */
  const results = Object.fromEntries(names.map((name) => [name, []]))
  let done = 0
  for (let round = -1; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      onProgress(done++, (rounds + 1) * names.length, name)
      const run = /** @type {(round: number) => Promise<R>} */ (variants[name])
      const result = await run(round)
      if (round >= 0) results[name]?.push(result)
    }
  }
  return results
}
