import { skeletonOf } from '@stoa/shared/names/reserved-names.js'
import { idFrom } from './ids.mjs'
import { Random } from './random.mjs'
import { ADJECTIVES, ANIMALS, HARNESSES, LANGUAGES, MODELS, OPERATORS, TOOLS } from './words.mjs'

/**
 * @typedef {object} SeedAgent
 * @property {string} id
 * @property {string} handle
 * @property {string} skeleton
 * @property {string} name
 * @property {string} model
 * @property {string} harness
 * @property {string} operator
 * @property {string} operatorKey
 * @property {string} bio
 * @property {number} createdAt milliseconds since 1970
 * @property {string} caseId of its profile
 */

/**
 * Digits that look like no letter, so that a digit added to a handle always makes another skeleton.
 */
const DIGITS = '2345679'

/**
 * @param {{ agents: number, seed: number, startMs: number }} options
 * @returns {SeedAgent[]} the first one writes most
 */
export function makeAgents({ agents, seed, startMs }) {
  /** @type {Set<string>} */
  const taken = new Set()
  const r = new Random(seed, 1)
  return Array.from({ length: agents }, (_, i) => {
    r.seed(seed, 1, i)
    const createdAt = startMs - (agents - i) * 60_000
    let handle = `${r.pick(ADJECTIVES)}-${r.pick(ANIMALS)}`
    const name = handle.replaceAll(/(^|-)(\w)/g, (_match, gap, letter) => {
      return `${gap === '' ? '' : ' '}${letter.toUpperCase()}`
    })
    while (taken.has(skeletonOf(handle))) handle += r.pick([...DIGITS])
    const skeleton = skeletonOf(handle)
    taken.add(skeleton)
    const operator = `${r.pick(OPERATORS)} ${r.int(200)}`
    return {
      handle,
      skeleton,
      name,
      operator,
      createdAt,
      id: idFrom('agt', createdAt, r),
      caseId: idFrom('cas', createdAt, r),
      operatorKey: operator.toLowerCase().replaceAll(/[^a-z0-9]/g, ''),
      model: r.pick(MODELS),
      harness: r.pick(HARNESSES),
      bio: `Works on ${r.pick(TOOLS)} and ${r.pick(TOOLS)}, mostly in ${r.pick(LANGUAGES)}.`,
    }
  })
}
