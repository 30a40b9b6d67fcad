/**
 * `npm run bench:compare -- --with FOLDER`: compares the processor time of a request here and in
 * another checkout of the project. Both forums run side by side and are measured in turn, which on
 * a machine shared with others is the steadiest way to tell what a change was worth.
 *
 * Prints a table in Markdown and writes nothing.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { badUsage, readCommandLine, wholeNumber } from '@stoa/shared/process/command-line.mjs'
import { stopOnSignals } from '../deploy/local/processes/stop-request.mjs'
import { comparedWorks } from './cases/compared.mjs'
import { alternate } from './figures/alternate.mjs'
import { ratios } from './figures/line.mjs'
import { column, cpuByProgram } from './figures/measure.mjs'
import { short, spreadOf, withSpread } from './figures/stats.mjs'
import { build } from './forum/build.mjs'
import { prepare } from './forum/context.mjs'
import { startInstallation } from './forum/installation.mjs'
import { progressLine } from './report/progress.mjs'

/** @typedef {import('./forum/context.mjs').Context} Context */
/** @typedef {import('./figures/measure.mjs').Measured} Measured */

const USAGE = `usage: npm run bench:compare -- --with FOLDER [OPTION ...]

  --with FOLDER     the other checkout, such as one made by git worktree add
  --only NAMES      some of ${Object.keys(comparedWorks).join(', ')}, separated by commas
  --posts N (5000)  --rounds N (5)  --seconds N (2)`

const { values } = readCommandLine(USAGE, {
  options: {
    with: { type: 'string' },
    only: { type: 'string' },
    posts: { type: 'string', default: '5000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
  },
})
const progress = progressLine()
const signal = stopOnSignals()
process.exitCode = await main()

async function main() {
  if (values.with === undefined) badUsage(USAGE, 'Say which checkout to compare with: --with')
  if (!existsSync(values.with)) badUsage(USAGE, `There is no folder ${values.with}`)
  const works = chosenWorks()
  const size = sizes()
  await build(signal)
  const other = await modulesOf(resolve(values.with))
  /** @type {import('./forum/installation.mjs').Installation[]} */
  const forums = []
  try {
    progress.say('Starting two forums ...')
    for (const start of [other.startInstallation, startInstallation]) {
      forums.push(await start({ signal }))
    }
    const there = await other.prepare({ forum: forums[0], ...size })
    const here = await prepare({
      forum: /** @type {import('./forum/installation.mjs').Installation} */ (forums[1]),
      ...size,
    })
    console.log('| work | CPU ms there | here | share | programs here |\n|---|---|---|---|---|')
    for (const [name, work] of works) {
      const [before, now] = [await work(there), await work(here)]
      const show = (/** @type {number} */ done, /** @type {number} */ total) =>
        progress.show(done, total, name)
      const found = await alternate(size.rounds, { before, now }, show)
      progress.clear()
      console.log(rowOf(name, found.before ?? [], found.now ?? []))
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    progress.say('Stopping ...')
    await Promise.all(forums.map((forum) => forum.stop()))
  }
  return signal.aborted ? 1 : 0
}

function chosenWorks() {
  const all = Object.entries(comparedWorks)
  if (values.only === undefined) return all
  const names = values.only.split(',')
  const unknown = names.filter((name) => !(name in comparedWorks))
  if (unknown.length > 0) badUsage(USAGE, `There is no ${unknown.join(', ')} to compare`)
  return all.filter(([name]) => names.includes(name))
}

/**
 * Installs and builds the other checkout, and loads its functions that start and fill a forum.
 *
 * @param {string} folder
 * @returns {Promise<any>}
 */
async function modulesOf(folder) {
  const of = (/** @type {string} */ path, /** @type {string} */ before) => {
    const here = join(folder, path)
    return import(pathToFileURL(existsSync(here) ? here : join(folder, before)).href)
  }
  // The second path is that of checkouts from before the bench and the launcher had folders.
  const { install } = await of('deploy/local/launch/install.mjs', 'deploy/local/install.mjs')
  await install({ signal })
  const { build: buildThere } = await of('bench/forum/build.mjs', 'bench/build.mjs')
  await buildThere(signal)
  const [{ startInstallation: start }, { prepare: fill }] = await Promise.all([
    of('bench/forum/installation.mjs', 'bench/installation.mjs'),
    of('bench/forum/context.mjs', 'bench/context.mjs'),
  ])
  return { startInstallation: start, prepare: fill }
}

function sizes() {
  const of = (/** @type {'posts' | 'rounds' | 'seconds'} */ name) =>
    wholeNumber(USAGE, `--${name}`, values[name], 1)
  return {
    posts: of('posts'),
    rounds: of('rounds'),
    seconds: of('seconds'),
    soakSeconds: 0,
    largePosts: 0,
    withSearch: true,
    signal,
    show: progress.show,
  }
}

/**
 * @param {string} name
 * @param {Measured[]} before
 * @param {Measured[]} now
 */
function rowOf(name, before, now) {
  const [was, is] = [before, now].map((rounds) => short(spreadOf(column(rounds, 'cpuMs')).median))
  const share = withSpread(spreadOf(ratios(column(now, 'cpuMs'), column(before, 'cpuMs'))))
  const programs = Object.entries(cpuByProgram(now))
    .filter(([, ms]) => ms >= 0.005)
    .map(([program, ms]) => `${program} ${short(ms)}`)
  return `| ${name} | ${was} | ${is} | ${share} | ${programs.join(', ')} |`
}
