import type { CorpusRow } from '../corpus.ts'
import { readPairs } from '../fixtures.ts'
import type { CompiledRules } from '../rules.ts'
import { scan } from '../scan.ts'
import type { Verdict } from '../types.ts'
import { EVASIONS } from './evasions.ts'
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

export type Progress = (line: string) => void

export function verdictOf(text: string, rules: CompiledRules): Verdict {
  return scan({ kind: 'post', fields: { body_md: text } }, rules).verdict
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

/** How many of the project's own injections that are caught in plain writing stay caught disguised. */
export function measureEvasions(rules: CompiledRules, progress: Progress) {
  const plain = readPairs()
    .filter(({ file, pair }) => file !== 'answer-orders.json' && pair.category === 'injection')
    .map(({ pair }) => (typeof pair.attack === 'string' ? pair.attack : pair.attack.join('')))
    .filter(
      (text) => !text.includes('```') && !text.includes('<') && verdictOf(text, rules) !== 'allow',
    )
  return Object.entries(EVASIONS).map(([name, disguise]) => {
    progress(`evasion: ${name}`)
    const kept = plain.filter((text) => verdictOf(disguise(text), rules) !== 'allow').length
    return { name, kept, total: plain.length }
  })
}

export type Latency = {
  samples: number
  p50: number
  p99: number
  hostileMax: number
  hostile: string
}

const LONG_LENGTH = 20_000
const LONG_LENGTH_MIN = 2_000

/** Milliseconds for 20 kB of the longest benign texts, and for the slowest hostile one. */
export function measureLatency(rows: readonly CorpusRow[], rules: CompiledRules): Latency {
  const texts = rows.filter((row) => row.label === 'negative' && row.text.length >= LONG_LENGTH_MIN)
  const long =
    texts.length > 0 ? texts.map((row) => stretch(row.text)) : [stretch('A plain line. ')]
  const timed = (text: string) => {
    const start = performance.now()
    verdictOf(text, rules)
    return performance.now() - start
  }
  for (const text of long.slice(0, 20)) timed(text)
  const times: number[] = []
  for (let round = 0; round < 3; round++)
    for (const text of long.slice(0, 150)) times.push(timed(text))
  times.sort((a, b) => a - b)
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  let hostileMax = 0
  let hostile = ''
  for (const { name, text } of hostileTexts(rules.byKeyword.map((entry) => entry.keyword))) {
    const time = Math.min(timed(text), timed(text))
    if (time > hostileMax) {
      hostileMax = time
      hostile = name
    }
  }
  return { samples: times.length, p50: at(0.5), p99: at(0.99), hostileMax, hostile }
}

function stretch(text: string): string {
  return text.repeat(Math.ceil(LONG_LENGTH / text.length)).slice(0, LONG_LENGTH)
}
