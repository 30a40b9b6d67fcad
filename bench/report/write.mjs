import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { groupedBars, stackedBars } from './svg.mjs'

/** @typedef {import('../figures/line.mjs').Line} Line */

/**
 * What one case found.
 *
 * @typedef {object} Section
 * @property {string} name
 * @property {string} about
 * @property {Line[]} lines
 * @property {string} [problem] why there are no lines
 */

/** @typedef {Section & { measured: string, how: string, machine: string[] }} Kept */

const BENCH = dirname(dirname(fileURLToPath(import.meta.url)))
const RAW = join(BENCH, 'results.json')

/** @param {Section} section */
export function printTable({ name, about, lines, problem }) {
  console.log(`\n${name}: ${about}`)
  if (problem) console.log(`  not measured: ${problem}`)
  for (const line of lines) {
    const columns = [line.work.padEnd(56), line.measure.padEnd(30), line.value.padEnd(28)]
    const reach = (line.reach ?? '').padEnd(9)
    console.log(`  ${columns.join(' ')} ${reach} ${verdict(line).padEnd(8)} ${line.baseline ?? ''}`)
    if (line.cpu) console.log(`    ${programs(line.cpu)}`)
  }
}

/** @param {Line} line */
function verdict({ met }) {
  if (met === undefined) return ''
  return met ? 'met' : 'not met'
}

/** @param {Record<string, number>} cpu */
function programs(cpu) {
  const used = Object.entries(cpu).filter(([, ms]) => ms >= 0.001)
  return used.map(([name, ms]) => `${name} ${ms.toFixed(3)}`).join(', ')
}

/**
 * Writes bench/RESULTS.md and its plots. Cases that did not run this time keep what an earlier run
 * found, under its date.
 *
 * @param {Section[]} sections
 * @param {{ machine: string[], how: string, order: string[] }} about
 */
export function writeReport(sections, { machine, how, order }) {
  const measured = new Date().toISOString().slice(0, 16).replace('T', ' ')
  const before = existsSync(RAW)
    ? /** @type {Kept[]} */ (JSON.parse(readFileSync(RAW, 'utf8')))
    : []
  const all = new Map(before.map((section) => [section.name, section]))
  for (const section of sections) all.set(section.name, { ...section, measured, how, machine })
  const kept = order.flatMap((name) => all.get(name) ?? [])
  writeFileSync(RAW, `${JSON.stringify(kept, null, 1)}\n`)
  const plots = writePlots(kept)
  writeFileSync(
    join(BENCH, 'RESULTS.md'),
    [...head(kept), ...plots, ...kept.flatMap(table)].join('\n'),
  )
}

/** @param {Kept[]} sections */
function head(sections) {
  const software = [...new Set(sections.flatMap(({ machine }) => machine.slice(1)))]
  const marks = sections.flatMap(({ lines }) => lines).filter((line) => line.met !== undefined)
  const missed = marks.filter((line) => !line.met)
  return [
    '# What the forum does, measured',
    '',
    'Written by `npm run bench`; how it is measured is in `docs/PERFORMANCE.md`. A value is the',
    'median of its rounds, with the smallest and the largest. What it is compared with was',
    'measured in the same rounds on the same machine, in turn. CPU is summed over every process',
    'of the forum, servers included.',
    '',
    ...software.map((line) => `- ${line}`),
    '',
    `${marks.length - missed.length} of ${marks.length} marks are reached.${missed.length > 0 ? ' Not reached:' : ''}`,
    '',
    ...missed.map(
      ({ work, measure, value, reach }) => `- ${work}, ${measure}: ${value} (${reach})`,
    ),
    '',
  ]
}

/** @param {Kept} section */
function table({ name, about, lines, problem, measured, how, machine: [hardware] }) {
  const rows = lines.map((line) => {
    const cells = [line.work, line.measure, line.value, line.baseline, line.reach, verdict(line)]
    return `| ${cells.map((cell) => (cell ?? '').replaceAll('|', '\\|')).join(' | ')} |`
  })
  const cpu = lines.flatMap(({ work, cpu: used }) => {
    return used ? [`- CPU ms, ${work}: ${programs(used)}`] : []
  })
  return [
    ...[
      `## ${name}`,
      '',
      `${about[0]?.toUpperCase()}${about.slice(1)}. Measured ${measured} UTC on ${hardware}; ${how}.`,
      '',
    ],
    ...(problem ? [`Not measured: ${problem}`, ''] : []),
    ...(rows.length > 0
      ? [
          '| work | measure | value | beside it | reach | |',
          '|---|---|---|---|---|---|',
          ...rows,
          '',
        ]
      : []),
    ...(cpu.length > 0 ? [...cpu, ''] : []),
  ]
}

/** @param {Kept[]} sections */
function writePlots(sections) {
  const lines = sections.flatMap((section) => section.lines)
  const rates = lines.flatMap(({ work, bars }) =>
    bars ? [{ label: work, parts: partsOf(bars) }] : [],
  )
  const isCached = (/** @type {Kept} */ { name }) => name === 'cached'
  const cached = sections.filter(isCached).flatMap(cpuGroups)
  const others = sections.filter((section) => !isCached(section)).flatMap(cpuGroups)
  const unit = 'ms per request or document, by program'
  const plots = [
    {
      file: 'rates.svg',
      title: 'Beside the baselines',
      unit: 'per second',
      groups: rates,
      draw: groupedBars,
    },
    {
      file: 'cpu-cached.svg',
      title: 'CPU of cached reads',
      unit,
      groups: cached,
      draw: stackedBars,
    },
    { file: 'cpu.svg', title: 'CPU of everything else', unit, groups: others, draw: stackedBars },
  ]
  mkdirSync(join(BENCH, 'plots'), { recursive: true })
  return plots.flatMap(({ file, title, draw, groups, ...rest }) => {
    if (groups.length === 0) return []
    writeFileSync(join(BENCH, 'plots', file), draw({ title, groups, ...rest }))
    return [`![${title}](plots/${file})`, '']
  })
}

/** @param {Kept} section */
function cpuGroups({ lines }) {
  return lines.flatMap(({ work, cpu = {} }) => {
    const parts = partsOf(cpu).filter(({ value }) => value >= 0.001)
    return parts.length > 0 ? [{ label: work, parts }] : []
  })
}

/** @param {Record<string, number>} values */
function partsOf(values) {
  return Object.entries(values).map(([name, value]) => ({ name, value }))
}
