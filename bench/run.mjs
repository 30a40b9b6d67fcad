/**
 * `npm run bench`: measures the forum against baselines in the same run, on an installation of its
 * own, and writes bench/RESULTS.md with its plots.
 */
import { badUsage, readCommandLine, wholeNumber } from '@stoa/shared/process/command-line.mjs'
import { SERVICES } from '../deploy/local/launch/service-env.mjs'
import { stopOnSignals } from '../deploy/local/processes/stop-request.mjs'
import { CASES } from './cases/index.mjs'
import { keepProfiles } from './figures/profile.mjs'
import { build } from './forum/build.mjs'
import { prepare } from './forum/context.mjs'
import { startInstallation } from './forum/installation.mjs'
import { describeMachine } from './report/machine.mjs'
import { progressLine } from './report/progress.mjs'
import { printTable, writeReport } from './report/write.mjs'

const USAGE = `usage: npm run bench -- [OPTION ...]

  --only NAMES      some cases only, separated by commas; --list names them all
  --quick           few and short rounds, for a look; nothing is written
  --posts N         size of the corpus (10000)
  --growth          only the comparison with a large forum (--large N posts, 1000000); that of
                    the indexes is --only growth-index
  --rounds N        (5)      --seconds N  of one variant in one round (3)
  --soak SECONDS    how long memory is watched under load (60)
  --profile NAMES   services to run under the CPU profiler; prints where their time goes
  --no-build        what is in dist already`

const { values } = readCommandLine(USAGE, {
  options: {
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    posts: { type: 'string' },
    growth: { type: 'boolean', default: false },
    large: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    soak: { type: 'string' },
    profile: { type: 'string' },
    'no-build': { type: 'boolean', default: false },
  },
})

const progress = progressLine()
const signal = stopOnSignals()
process.exitCode = await main()

async function main() {
  if (values.list) {
    for (const { name, about } of CASES) console.log(`${name.padEnd(16)} ${about}`)
    return 0
  }
  const cases = chosenCases()
  const profiled = chosenServices()
  const size = sizes()
  if (!values['no-build']) await build(signal)
  progress.say('Starting a forum of the bench’s own ...')
  const forum = await startInstallation({ signal, profiled })
  /** @type {import('./report/write.mjs').Section[]} */
  const sections = []
  /** @type {string[]} */
  let machine = []
  try {
    machine = await describeMachine(forum)
    const context = await prepare({ forum, ...size, ...needs(cases) })
    for (const { name, about, run } of cases) {
      if (signal.aborted) break
      sections.push({ name, about, ...(await attempt(() => run(context))) })
      progress.clear()
      printTable(/** @type {import('./report/write.mjs').Section} */ (sections.at(-1)))
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    progress.say('Stopping ...')
    try {
      await forum.stopServices()
      keepProfiles(forum.folder, profiled)
    } finally {
      await forum.stop()
    }
  }
  if (!values.quick && !values.profile && !signal.aborted) {
    writeReport(sections, { machine, how: howOf(size), order: CASES.map(({ name }) => name) })
  }
  return sections.some(({ problem }) => problem) || signal.aborted ? 1 : 0
}

function chosenCases() {
  if (values.growth) return CASES.filter(({ name }) => name === 'growth')
  if (values.only === undefined) return CASES.filter(({ isExtra }) => !isExtra)
  const names = values.only.split(',')
  const unknown = names.filter((name) => !CASES.some((known) => known.name === name))
  if (unknown.length > 0) {
    badUsage(USAGE, `There is no case ${unknown.join(', ')}: --list names them all`)
  }
  return CASES.filter(({ name }) => names.includes(name))
}

function chosenServices() {
  const names = values.profile?.split(',') ?? []
  const unknown = names.filter((name) => !SERVICES.some((known) => known === name))
  if (unknown.length > 0) {
    badUsage(USAGE, `There is no service ${unknown.join(', ')}: they are ${SERVICES.join(', ')}`)
  }
  return names
}

function sizes() {
  const of = (
    /** @type {'posts' | 'rounds' | 'seconds' | 'soak' | 'large'} */ name,
    /** @type {number} */ quick,
    /** @type {number} */ usual,
  ) => wholeNumber(USAGE, `--${name}`, values[name] ?? `${values.quick ? quick : usual}`, 1)
  return {
    posts: of('posts', 2_000, 10_000),
    rounds: of('rounds', 2, 5),
    seconds: of('seconds', 1, 3),
    soakSeconds: of('soak', 5, 60),
    largePosts: of('large', 20_000, 1_000_000),
  }
}

/** @param {ReturnType<typeof sizes>} sizes */
function howOf({ posts, rounds, seconds }) {
  return `${posts} posts, ${rounds} rounds of ${seconds} s`
}

/** @param {import('./cases/index.mjs').Case[]} cases */
function needs(cases) {
  /** @type {typeof progress.show} */
  const show = (done, total, what) => {
    // Every case calls this between its steps, so a request to stop takes effect here.
    signal.throwIfAborted()
    progress.show(done, total, what)
  }
  return { withSearch: cases.some(({ needsSearch }) => needsSearch), signal, show }
}

/**
 * A case that fails must not take the others' results with it.
 *
 * @param {() => Promise<import('./figures/line.mjs').Line[]>} run
 */
async function attempt(run) {
  try {
    return { lines: await run() }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    progress.say(problem)
    return { lines: [], problem }
  }
}
