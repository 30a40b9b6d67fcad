/**
 * What every program here does with its command line. In plain JavaScript, because the programs of
 * `deploy/local` read it from here before anything is installed or built.
 */
import { parseArgs } from 'node:util'

/** Of a command line that cannot be meant, apart from 1 for what was meant and did not work. */
const EXIT_BAD_USAGE = 2
const NUMBER_MAX = 100_000_000

/** @typedef {import('node:util').ParseArgsConfig} Config */

/**
 * The options and words that were given. `--help` shows how the program is used and ends it, and so
 * does what it does not know.
 *
 * @template {Config} C
 * @param {string} usage
 * @param {C} config
 * @returns {ReturnType<typeof parseArgs<C>>}
 */
export function readCommandLine(usage, config) {
  const { options } = config
  /** @type {C} */
  const withHelp = { ...config, options: { ...options, help: { type: 'boolean' } } }
  try {
    const given = parseArgs(withHelp)
    if (!('help' in given.values)) return given
  } catch (error) {
    // Node's own message goes on about how to escape what it took for an option.
    badUsage(usage, /** @type {Error} */ (error).message.split('. ')[0] ?? '')
  }
  process.stdout.write(`${usage}\n`)
  process.exit(0)
}

/**
 * Ends the program: one line that says what is wrong, then how it is used.
 *
 * @param {string} usage
 * @param {string} problem
 * @returns {never}
 */
export function badUsage(usage, problem) {
  process.stderr.write(`${problem.replace(/\.?$/, '.')}\n\n${usage}\n`)
  process.exit(EXIT_BAD_USAGE)
}

/**
 * @param {string} usage
 * @param {string} name of what was given, as it is written on the command line
 * @param {string} text
 * @param {number} [min]
 */
export function wholeNumber(usage, name, text, min = 0) {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= min && number <= NUMBER_MAX) return number
  const range = `from ${min} to ${NUMBER_MAX}`
  return badUsage(usage, `${name} must be a whole number ${range}, not ${JSON.stringify(text)}`)
}
