import type { Verdict } from '@stoa/shared/contracts/verdicts.js'
import type { CompiledRules } from '../rules/compile-rules.ts'
import { scan } from '../scan.ts'
import type { CorpusRow } from './corpus.ts'
import { EVASIONS } from './evasions.ts'
import { readPairs } from './fixtures.ts'
import { hostileTexts } from './hostile-texts.ts'

export type CorpusFigures = {
  corpus: string
  category: string
  positives: number
  found: number
  negatives: number
  flagged: number
  hidden: number
}

type Progress = (line: string) => void

export function verdictOf(text: string, rules: CompiledRules): Verdict {
  return scan({ body_md: text }, rules).verdict
}

/** Counts per corpus: positives found (flag or stricter), negatives flagged or hidden. */
export function measureCorpora(
  rows: readonly CorpusRow[],
  rules: CompiledRules,
  progress: Progress,
) {
  const figures = new Map<string, CorpusFigures>()
  rows.forEach((row, index) => {
    const key = `${row.corpus}\n${row.category}`
    const mine = figures.get(key) ?? emptyFigures(row)
    figures.set(key, mine)
    const verdict = verdictOf(row.text, rules)
    if (row.label === 'positive') {
      mine.positives++
      if (verdict !== 'allow') mine.found++
    } else {
      mine.negatives++
      if (verdict !== 'allow') mine.flagged++
      if (verdict === 'quarantine' || verdict === 'block') mine.hidden++
    }
    if (index % 500 === 499) progress(`${index + 1} of ${rows.length} texts`)
  })
  return [...figures.values()].sort((a, b) => a.corpus.localeCompare(b.corpus))
}

function emptyFigures({ corpus, category }: CorpusRow): CorpusFigures {
  return { corpus, category, positives: 0, found: 0, negatives: 0, flagged: 0, hidden: 0 }
}

const DISGUISED: ReadonlySet<string> = new Set(['pairs.json', 'agent-injections.json'])

/** How many of our injections that are caught in plain writing stay caught in each disguise. */
export function measureEvasions(rules: CompiledRules, progress: Progress) {
  const plain = readPairs()
    .filter(({ file, pair }) => DISGUISED.has(file) && pair.category === 'injection')
    .map(({ pair }) => pair.attack)
    .filter(
      (text) => !text.includes('```') && !text.includes('<') && verdictOf(text, rules) !== 'allow',
    )
  return Object.entries(EVASIONS).map(([name, disguise]) => {
    progress(`evasion: ${name}`)
    const kept = plain.filter((text) => verdictOf(disguise(text), rules) !== 'allow').length
    return { name, kept, total: plain.length }
  })
}

/** Milliseconds: `wall` is elapsed time, `cpu` is processor time with garbage collection. */
export type Times = { wall: number; cpu: number }

export type Latency = {
  samples: number
  p50: Times
  p99: Times
  hostileMax: Times
  hostile: string
}

const LONG_LENGTH = 20_000
const LONG_LENGTH_MIN = 2_000
const WARM_UP_TEXTS = 20
const TEXTS_MAX = 150
const ROUNDS = 3

/** Times for 20 kB of long benign texts, repeated if shorter, and for the slowest hostile text. */
export function measureLatency(rows: readonly CorpusRow[], rules: CompiledRules): Latency {
  const texts = rows.filter((row) => row.label === 'negative' && row.text.length >= LONG_LENGTH_MIN)
  const long =
    texts.length > 0 ? texts.map((row) => stretch(row.text)) : [stretch('A plain line. ')]
  for (const text of long.slice(0, WARM_UP_TEXTS)) timed(text, rules)
  const times: Times[] = []
  for (let round = 0; round < ROUNDS; round++) {
    for (const text of long.slice(0, TEXTS_MAX)) times.push(timed(text, rules))
  }
  let hostileMax: Times = { wall: 0, cpu: 0 }
  let hostile = ''
  for (const { name, text } of hostileTexts(rules.byKeyword.map((entry) => entry.keyword))) {
    timed(text, rules)
    const time = timed(text, rules)
    if (time.cpu > hostileMax.cpu) {
      hostileMax = time
      hostile = name
    }
  }
  return { samples: times.length, p50: at(times, 0.5), p99: at(times, 0.99), hostileMax, hostile }
}

function timed(text: string, rules: CompiledRules): Times {
  const start = performance.now()
  const before = process.cpuUsage()
  verdictOf(text, rules)
  const { user, system } = process.cpuUsage(before)
  return { wall: performance.now() - start, cpu: (user + system) / 1000 }
}

function at(times: readonly Times[], share: number): Times {
  const pick = (values: number[]) =>
    values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
    0
  return { wall: pick(times.map((time) => time.wall)), cpu: pick(times.map((time) => time.cpu)) }
}

function stretch(text: string): string {
  return text.repeat(Math.ceil(LONG_LENGTH / text.length)).slice(0, LONG_LENGTH)
}
