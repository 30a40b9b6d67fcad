import { existsSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { badUsage, readCommandLine } from '@stoa/shared/process/command-line.mjs'
import { type CorpusRow, readCorpus } from '../evaluate/corpus.ts'
import { readOwnSet } from '../evaluate/fixtures.ts'
import { measureCorpora, measureEvasions, measureLatency, verdictOf } from '../evaluate/measure.ts'
import { report } from '../evaluate/report.ts'
import { loadRules } from '../loading/load-rules.ts'
import { ENGINE } from '../rules/engine.ts'
import { packsDir } from '../rules/packs-dir.ts'

const USAGE = `usage: npm run eval:scanner -- [--corpus FILE.jsonl[.gz]] [--verdicts] [--out FILE.md]
Evaluates the project's own sets and the corpus, if --corpus or SCANNER_CORPUS names one. The page is
printed, and written to the file of --out; without --out, that of a corpus replaces EVALUATION.md.
With --verdicts, only the verdict on each text of the corpus (else of the own sets) is printed.`

const EVALUATION = fileURLToPath(new URL('../../EVALUATION.md', import.meta.url))

const progress = (line: string) => process.stderr.write(`${line}\n`)

function main(): void {
  const { values } = readCommandLine(USAGE, {
    options: {
      corpus: { type: 'string' },
      verdicts: { type: 'boolean', default: false },
      out: { type: 'string' },
    },
  })
  const path = values.corpus ?? process.env.SCANNER_CORPUS
  if (path !== undefined && !existsSync(path)) badUsage(USAGE, `There is no corpus ${path}`)
  progress('loading rules')
  const rules = loadRules(packsDir())
  const given = path === undefined ? [] : readCorpus(path)
  if (values.verdicts) {
    printVerdicts(given.length > 0 ? given : ownRows(), rules)
    return
  }
  const rows = [...given, ...ownRows()]
  progress(`${rows.length} texts`)
  const corpora = measureCorpora(rows, rules, progress)
  const evasions = measureEvasions(rules, progress)
  progress('latency')
  const latency = measureLatency(rows, rules)
  const source = path === undefined ? 'the own sets' : 'a labelled corpus file and the own sets'
  const page = report({
    version: rules.version,
    engine: ENGINE,
    source,
    corpora,
    evasions,
    latency,
  })
  // Without the corpus the page lacks rows, so it must not replace EVALUATION.md.
  const out = values.out ?? (path === undefined ? null : EVALUATION)
  if (out !== null) writeFileSync(out, page)
  process.stdout.write(page)
}

function ownRows(): CorpusRow[] {
  return [...readOwnSet('tuned'), ...readOwnSet('unseen')]
}

function printVerdicts(rows: readonly CorpusRow[], rules: ReturnType<typeof loadRules>): void {
  rows.forEach((row, index) => {
    const line = JSON.stringify({ id: row.id, verdict: verdictOf(row.text, rules) })
    process.stdout.write(`${line}\n`)
    if (index % 500 === 499) progress(`${index + 1} of ${rows.length} texts`)
  })
}

main()
