import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { badUsage, readCommandLine } from '@stoa/shared/process/command-line.mjs'
import { z } from 'zod'
import { type CorpusRow, readCorpus } from '../evaluate/corpus.ts'
import { readOwnSet } from '../evaluate/fixtures.ts'
import { canariesOf, compileRules } from '../rules/compile-rules.ts'
import { type PackTexts, readPackTexts } from '../rules/pack-texts.ts'
import { packsDir } from '../rules/packs-dir.ts'
import { trainingTexts } from '../train/examples.ts'
import { fitModel } from '../train/fit-model.ts'
import type { FitOptions } from '../train/logistic.ts'
import { compileLexicon } from '../words/linear-model.ts'

type Recipe = {
  category: 'injection' | 'sexual'
  flag: number
  options: FitOptions
  uses: (row: CorpusRow) => boolean
  weightOf: (row: CorpusRow, positive: boolean) => number
}

const WEIGHT_MIN = 0.3

/** Weight of a text by its corpus: some corpora have few orders, and everyday posts must pass. */
const INJECTION_WEIGHTS: readonly (readonly [RegExp, number])[] = [
  [/bipia_text/, 5],
  [/sysprompt|own_pairs|own_agent|own_orders/, 3],
  [/garak|own_steering/, 1.5],
]
const HONEST_WEIGHTS: readonly (readonly [RegExp, number])[] = [
  [/own_posts/, 14],
  [/wildguard/, 12],
  [/own/, 6],
  [/tldr/, 3],
]

// Five-fold cross-validation on the tuning half chose these numbers.
const RECIPES: readonly Recipe[] = [
  {
    category: 'injection',
    flag: -0.85,
    options: { epochs: 20, rate: 0.3, decay: 1e-4, seed: 1, drop: 0.2, fits: 3 },
    uses: (row) =>
      !['secret', 'lure'].includes(row.category) &&
      !(row.category === 'sexual' && row.label === 'positive'),
    weightOf: (row, positive) => {
      const weights = positive ? INJECTION_WEIGHTS : HONEST_WEIGHTS
      return weights.find(([corpora]) => corpora.test(row.corpus))?.[1] ?? 1
    },
  },
  {
    category: 'sexual',
    flag: -0.8,
    options: { epochs: 12, rate: 0.3, decay: 1e-4, seed: 1, drop: 0.2, fits: 5 },
    uses: (row) => row.category === 'sexual' || row.label === 'negative',
    weightOf: (_row, positive) => (positive ? 3 : 1),
  },
]

/** A set for tuning the rules, not the models: most of its texts are honest but for one line. */
const FOR_RULES = 'own_lures_tuned'

const Lexicons = z.record(z.string(), z.record(z.string(), z.array(z.string())))

/**
 * Fits the word weights from labelled texts and writes them, rounded, as data files beside the
 * packs. Only single words and pairs of words seen in several texts are kept, never a text.
 */
function main(corpusPath: string): void {
  const dir = packsDir()
  const packs = readPackTexts(dir)
  const rules = compileRules(packs)
  const lexicons = Lexicons.parse(JSON.parse(readFileSync(join(dir, 'lexicon.json'), 'utf8')))
  const own = readOwnSet('tuned').filter(({ corpus }) => corpus !== FOR_RULES)
  const rows = [...readCorpus(corpusPath), ...own, ...canaryRows(packs)]
  for (const recipe of RECIPES) {
    const { category, flag, options, uses, weightOf } = recipe
    const lexicon = lexicons[category] ?? {}
    const isPositive = (row: CorpusRow) => row.category === category && row.label === 'positive'
    const texts = trainingTexts(
      rows.filter(uses),
      isPositive,
      rules,
      compileLexicon(lexicon),
      weightOf,
    )
    const fit = fitModel(texts, options)
    const weights = Object.fromEntries(
      [...fit.weights]
        .map(([name, weight]) => [name, Math.round(weight * 100) / 100] as const)
        .filter(([, weight]) => Math.abs(weight) >= WEIGHT_MIN)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    )
    const bias = Math.round(fit.bias * 100) / 100
    const model = { category, version: '1.3.0', bias, flag, lexicon, weights }
    writeFileSync(join(dir, `${category}.model.json`), `${JSON.stringify(model, null, 2)}\n`)
    console.error(`${category}: ${texts.length} texts, ${Object.keys(weights).length} weights`)
  }
}

/** The canaries as negative examples, because every rule set must let them pass. */
function canaryRows(packs: PackTexts): CorpusRow[] {
  return canariesOf(packs).map((text, index) => ({
    id: `canary-${index}`,
    corpus: 'own_canaries',
    category: 'benign',
    label: 'negative',
    text,
    ref: '',
  }))
}

const USAGE =
  'usage: node services/scanner/dist/cli/train.js CORPUS.jsonl[.gz]   (or set SCANNER_CORPUS)'
const { positionals } = readCommandLine(USAGE, { allowPositionals: true })
const path = positionals[0] ?? process.env.SCANNER_CORPUS
main(path ?? badUsage(USAGE, 'Name a corpus'))
