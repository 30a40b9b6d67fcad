import { short, spreadOf, withSpread } from './stats.mjs'

/**
 * One row of the results.
 *
 * @typedef {object} Line
 * @property {string} work what was done
 * @property {string} measure the name of the figure
 * @property {string} value median, with the smallest and largest round
 * @property {string} [baseline] the figure to compare with, measured in the same rounds
 * @property {string} [reach] the target
 * @property {boolean} [met]
 * @property {Record<string, number>} [cpu] ms per request by program
 * @property {Record<string, number>} [bars] medians by name, for the plots
 */

/** @typedef {{ text: string, holds: (value: number) => boolean }} Reach */

/**
 * @param {number} floor
 * @param {string} [unit]
 * @returns {Reach}
 */
export function atLeast(floor, unit = '') {
  return { text: `≥ ${short(floor).replace(/\.0+$/, '')}${unit}`, holds: (value) => value >= floor }
}

/**
 * @param {number} ceiling
 * @param {string} [unit]
 * @returns {Reach}
 */
export function atMost(ceiling, unit = '') {
  return {
    text: `≤ ${short(ceiling)
      .replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, '')}${unit}`,
    holds: (value) => value <= ceiling,
  }
}

/**
 * @param {string} work
 * @param {string} measure
 * @param {number[]} rounds one value per round
 * @param {{ unit?: string, reach?: Reach, baseline?: string, cpu?: Record<string, number>,
 *   bars?: Record<string, number> }} [more]
 * @returns {Line}
 */
export function lineOf(work, measure, rounds, { unit = '', reach, baseline, cpu, bars } = {}) {
  const spread = spreadOf(rounds)
  return {
    work,
    measure,
    value: `${withSpread(spread)}${unit}`,
    ...(baseline === undefined ? {} : { baseline }),
    ...(reach ? { reach: reach.text, met: reach.holds(spread.median) } : {}),
    ...(cpu ? { cpu } : {}),
    ...(bars ? { bars } : {}),
  }
}

/**
 * @param {number[]} ours
 * @param {number[]} theirs the values of the same rounds
 */
export function ratios(ours, theirs) {
  return ours.map((value, round) => value / /** @type {number} */ (theirs[round]))
}
