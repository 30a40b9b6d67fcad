/**
 * How every program here reads its command line. This is plain JavaScript, because the programs of
 * `deploy/local` import it before anything is installed or built.
 */
import { parseArgs } from 'node:util'

/** Exit code for a command line that makes no sense; 1 is for a command that failed. */
const EXIT_BAD_USAGE = 2
const NUMBER_MAX = 100_000_000

/** @typedef {import('node:util').ParseArgsConfig} Config */

/**
 * Reads the options and words of the command line. `--help` prints how the program is used and ends
 * it with code 0; an option that the program does not know ends it with a usage error.
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
    // The rest of Node's message explains how to escape what it took for an option.
    badUsage(usage, /** @type {Error} */ (error).message.split('. ')[0] ?? '')
  }
  process.stdout.write(`${usage}\n`)
  process.exit(0)
}

/**
 * Ends the program after it prints one line that says what is wrong, then how the program is used.
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
 * @param {string} name of the option or argument, as it is written on the command line
 * @param {string} text
 * @param {number} [min]
 */
export function wholeNumber(usage, name, text, min = 0) {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= min && number <= NUMBER_MAX) return number
  const range = `from ${min} to ${NUMBER_MAX}`
  return badUsage(usage, `${name} must be a whole number ${range}, not ${JSON.stringify(text)}`)
}
