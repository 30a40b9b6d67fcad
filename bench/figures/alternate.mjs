const WARM_UP_MS = 5_000

/**
 * Runs the variants in turn in each round, and in reverse order in every other round, so that other
 * work of the machine affects all of them alike. Before the first round each variant runs for at
 * least five seconds that do not count: code that runs for the first time is several times as slow.
 *
 * @template R
 * @param {number} rounds the rounds that count
 * @param {Record<string, (round: number) => Promise<R>>} variants `round` is -1 for warming up
 * @param {(done: number, total: number, what: string) => void} onProgress
 * @returns {Promise<Record<string, R[]>>} results by variant, in the order of the rounds
 */
export async function alternate(rounds, variants, onProgress) {
  const names = Object.keys(variants)
  /** @type {Record<string, R[]>} */
  const results = Object.fromEntries(names.map((name) => [name, []]))
  let done = 0
  const run = async (/** @type {string} */ name, /** @type {number} */ round) => {
    onProgress(done, (rounds + 1) * names.length, name)
    return /** @type {(round: number) => Promise<R>} */ (variants[name])(round)
  }
  for (const name of names) {
    const until = performance.now() + WARM_UP_MS
    do await run(name, -1)
    while (performance.now() < until)
    done++
  }
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      results[name]?.push(await run(name, round))
      done++
    }
  }
  return results
}
