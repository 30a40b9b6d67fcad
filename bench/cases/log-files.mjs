import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../../deploy/local/servers/servers.mjs'
import { alternate } from '../figures/alternate.mjs'
import { lineOf, ratios } from '../figures/line.mjs'
import { short, spreadOf, withSpread } from '../figures/stats.mjs'

/** @typedef {{ perSecond: number, atNewFile: number }} Commits `atNewFile` is in milliseconds */

const USUAL_MIB = 16
const COMMITS = 1_000
const BYTES = 20_000
const NEW_FILES = 5

/**
 * Measures commits one after the other, and commits that must begin a new file of the log, on a
 * PostgreSQL as the forum makes it and on one with files of the usual size. Both clusters are new,
 * so neither has old files to overwrite.
 *
 * @param {import('../forum/context.mjs').Context} context
 */
export async function logFiles(context) {
  const { folder, rounds } = context
  const start = (/** @type {string} */ name, /** @type {{ logFileMib?: number }} */ size) =>
    startPostgres({ dir: join(folder, name), ...size })
  const ours = await start('postgres-ours', {})
  try {
    const usual = await start('postgres-usual', { logFileMib: USUAL_MIB })
    try {
      const work = `commit of ${short(BYTES / 1_000)} kB, one after the other`
      const found = await alternate(
        rounds,
        { ours: () => commits(ours.superuserUrl), usual: () => commits(usual.superuserUrl) },
        context.under(work),
      )
      return linesOf(work, found.ours ?? [], found.usual ?? [])
    } finally {
      await usual.stop()
    }
  } finally {
    await ours.stop()
  }
}

/**
 * @param {string} work
 * @param {Commits[]} ours
 * @param {Commits[]} usual
 */
function linesOf(work, ours, usual) {
  const rows = /** @type {const} */ ([
    ['atNewFile', 'ms where a file is full'],
    ['perSecond', 'commits/s'],
  ])
  return rows.flatMap(([key, measure]) => {
    const [mine = [], theirs = []] = [ours, usual].map((found) => found.map((round) => round[key]))
    const baseline = `files of ${USUAL_MIB} MB ${withSpread(spreadOf(theirs))}`
    return [
      lineOf(work, measure, mine, { baseline }),
      lineOf(work, `${measure}, against the usual`, ratios(mine, theirs), { unit: '×' }),
    ]
  })
}

/**
 * @param {string} url
 * @returns {Promise<Commits>}
 */
async function commits(url) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const commit = async () => {
    const body = randomBytes(BYTES)
    const startedAt = performance.now()
    await client.query('INSERT INTO bench_log VALUES ($1)', [body])
    return performance.now() - startedAt
  }
  try {
    await client.query('CREATE TABLE IF NOT EXISTS bench_log (body bytea)')
    let total = 0
    for (let i = 0; i < COMMITS; i++) total += await commit()
    const atNewFile = []
    for (let i = 0; i < NEW_FILES; i++) {
      // Ends the current file of the log, so that the next commit begins a new one.
      await client.query('SELECT pg_switch_wal()')
      atNewFile.push(await commit())
    }
    return { perSecond: COMMITS / (total / 1_000), atNewFile: spreadOf(atNewFile).median }
  } finally {
    await client.end()
  }
}
