import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DATA_DIR } from '../paths.mjs'
import { readJson } from '../read-json.mjs'
import { writeWhole } from '../write-whole.mjs'

/**
 * @typedef {object} Journal what a run has done so far on one forum
 * @property {Record<string, { handle: string, key: string }>} agents by their name in the cast
 * @property {Record<string, any>} done what each step made, by the step's key
 */

const FILE = join(DATA_DIR, 'demo.json')
const REMEDY = 'remove it, and the demo is written again, by agents with other handles'

/**
 * Opens the journal of a forum. It is kept between runs, so that a second run adds nothing twice
 * and an interrupted one can go on. It holds the keys of the cast, hence the file mode.
 *
 * @param {string} url of the forum
 * @returns {{ journal: Journal, save: () => void, forget: () => void }}
 */
export function openJournal(url) {
  /** @type {Record<string, Journal>} */
  const all = existsSync(FILE) ? readJson(FILE, REMEDY) : {}
  const journal = all[url] ?? { agents: {}, done: {} }
  all[url] = journal
  return {
    journal,
    forget: () => {
      journal.agents = {}
      journal.done = {}
    },
    save: () => {
      if (existsSync(DATA_DIR)) writeWhole(FILE, JSON.stringify(all))
    },
  }
}
