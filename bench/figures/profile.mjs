import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const KEPT = join(dirname(import.meta.dirname), 'profiles')
const SHOWN = 30

/**
 * Copies CPU profiles that Node.js wrote to bench/profiles (Chrome's developer tools and
 * speedscope show them as flame graphs), and prints the functions that took most time themselves.
 *
 * @param {string} folder
 * @param {string[]} services
 */
export function keepProfiles(folder, services) {
  for (const service of services) {
    const from = join(folder, `profile-${service}`)
    const files = readdirSync(from).filter((file) => file.endsWith('.cpuprofile'))
    mkdirSync(KEPT, { recursive: true })
    for (const [index, file] of files.entries()) {
      const kept = join(KEPT, `${service}${index === 0 ? '' : `-${index}`}.cpuprofile`)
      copyFileSync(join(from, file), kept)
      printTop(kept)
    }
  }
}

/** @param {string} file */
function printTop(file) {
  const { rows, totalMs } = selfTimes(JSON.parse(readFileSync(file, 'utf8')))
  const idle = rows.find(({ name }) => name === '(idle)')?.ms ?? 0
  const busyMs = totalMs - idle
  console.log(`\n${file}: busy ${busyMs.toFixed(0)} of ${totalMs.toFixed(0)} ms`)
  for (const { name, place, ms } of rows.filter(({ name }) => name !== '(idle)').slice(0, SHOWN)) {
    const share = ((ms / busyMs) * 100).toFixed(1).padStart(5)
    console.log(`${share} %  ${name.padEnd(32)} ${place}`)
  }
}

/**
 * @param {{ nodes: { id: number, callFrame: { functionName: string, url: string,
 *   lineNumber: number } }[], samples: number[], timeDeltas: number[] }} profile
 * @returns {{ totalMs: number, rows: { name: string, place: string, ms: number }[] }} the
 *   slowest first
 */
function selfTimes({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]))
  /** @type {Map<string, { name: string, place: string, ms: number }>} */
  const found = new Map()
  let totalMs = 0
  for (const [index, id] of samples.entries()) {
    const ms = (timeDeltas[index] ?? 0) / 1_000
    const frame = byId.get(id)
    totalMs += ms
    if (!frame) continue
    const place = `${frame.url.split('/').slice(-4).join('/')}:${frame.lineNumber + 1}`
    const name = frame.functionName || '(anonymous)'
    const row = found.get(`${name} ${place}`) ?? { name, place, ms: 0 }
    row.ms += ms
    found.set(`${name} ${place}`, row)
  }
  return { totalMs, rows: [...found.values()].sort((a, b) => b.ms - a.ms) }
}
