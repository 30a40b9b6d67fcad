import { readCommandLine, wholeNumber } from '@stoa/shared/process/command-line.mjs'
import { hostileTexts } from '../evaluate/hostile-texts.ts'
import { randomText } from '../evaluate/random-text.ts'
import { loadRules } from '../loading/load-rules.ts'
import { packsDir } from '../rules/packs-dir.ts'
import { scan } from '../scan.ts'
import { mulberry32 } from '../train/logistic.ts'

const USAGE = 'usage: node services/scanner/dist/cli/fuzz.js [TEXTS (100000) [SEED (1)]]'
const DEADLINE_MS = 250

/** Sends random and hostile texts through the pipeline; exit code 1 on a throw or an overrun. */
function main(count: number, seed: number): void {
  const rules = loadRules(packsDir())
  const random = mulberry32(seed)
  const keywords = rules.byKeyword.map((entry) => entry.keyword)
  const hostile = hostileTexts(keywords)
  const times: number[] = []
  const slow: string[] = []
  let throws = 0
  const run = (name: string, text: string) => {
    const start = cpuMs()
    try {
      scan({ title: text.slice(0, 200), body_md: text }, rules)
    } catch (error) {
      throws++
      process.stderr.write(`${name}: ${String(error)}\n`)
    }
    const time = cpuMs() - start
    times.push(time)
    if (time > DEADLINE_MS) slow.push(`${name}: ${time.toFixed(0)} ms, ${text.length} units`)
  }
  for (const { name, text } of hostile) run(name, text)
  for (let index = hostile.length; index < count; index++) {
    run(`text ${index} of seed ${seed}`, randomText(random, keywords))
    if (index % 5_000 === 0) process.stderr.write(`${index} of ${count}\n`)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1)
  process.stdout.write(
    `${times.length} texts, ${throws} throws, ${slow.length} over ${DEADLINE_MS} ms of processor time; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms\n${slow.slice(0, 20).join('\n')}\n`,
  )
  process.exitCode = throws > 0 || slow.length > 0 ? 1 : 0
}

/** Milliseconds of processor time, because wall-clock time also depends on other load. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const { positionals } = readCommandLine(USAGE, { allowPositionals: true })
const [texts = '100000', seed = '1'] = positionals
main(wholeNumber(USAGE, 'TEXTS', texts), wholeNumber(USAGE, 'SEED', seed))
