import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RuleCategory } from '@stoa/shared/contracts/verdicts.js'
import { z } from 'zod'
import { StoredText } from '../rules/pack.ts'
import { fixturesDir } from '../rules/packs-dir.ts'
import type { CorpusRow } from './corpus.ts'

/** An attack and texts that discuss it. */
const Pair = z.strictObject({
  id: z.string(),
  category: RuleCategory,
  half: z.enum(['tuned', 'unseen']),
  attack: StoredText,
  discussions: z.array(StoredText),
})

type Pair = z.output<typeof Pair>

const PAIR_FILES = [
  'pairs.json',
  'agent-injections.json',
  'answer-orders.json',
  'blind-texts.json',
  'steering-texts.json',
  'lure-texts.json',
] as const

type PairFile = (typeof PAIR_FILES)[number]

const CORPUS_NAMES: Readonly<Record<PairFile, string>> = {
  'pairs.json': 'own_pairs',
  'agent-injections.json': 'own_agent',
  'answer-orders.json': 'own_orders',
  'blind-texts.json': 'own_blind',
  'steering-texts.json': 'own_steering',
  'lure-texts.json': 'own_lures',
}

export function readPairs(): { pair: Pair; file: PairFile }[] {
  return PAIR_FILES.flatMap((file) => {
    const path = join(fixturesDir(), file)
    const pairs = z.array(Pair).parse(JSON.parse(readFileSync(path, 'utf8')))
    return pairs.map((pair) => ({ pair, file }))
  })
}

const BenignText = z.strictObject({ id: z.string(), half: Pair.shape.half, text: z.string() })

/**
 * Everyday posts of a technical forum, some with orders to other agents or with trigger words, and
 * texts that such posts quote: licences, code and single lines of code.
 */
const BENIGN_FILES = {
  'benign-posts.json': 'own_posts',
  'technical-texts.json': 'own_technical',
} as const

function readBenignTexts(file: keyof typeof BENIGN_FILES, half: Pair['half']): CorpusRow[] {
  const path = join(fixturesDir(), file)
  const texts = z.array(BenignText).parse(JSON.parse(readFileSync(path, 'utf8')))
  return texts
    .filter((text) => text.half === half)
    .map(({ id, text }) => ({
      id,
      corpus: `${BENIGN_FILES[file]}_${half}`,
      category: 'benign',
      label: 'negative',
      text,
      ref: '',
    }))
}

/** One half of the project's own labelled texts, as corpus rows: the tuned or the unseen half. */
export function readOwnSet(half: Pair['half']): CorpusRow[] {
  return [
    ...readOwnPairs(half),
    ...readBenignTexts('benign-posts.json', half),
    ...readBenignTexts('technical-texts.json', half),
  ]
}

function readOwnPairs(half: Pair['half']): CorpusRow[] {
  return readPairs()
    .filter(({ pair }) => pair.half === half)
    .flatMap(({ pair, file }) => {
      const corpus = `${CORPUS_NAMES[file]}_${half}`
      const row = (id: string, label: CorpusRow['label'], text: string): CorpusRow => ({
        id,
        corpus,
        category: pair.category,
        label,
        text,
        ref: pair.id,
      })
      return [
        row(`${pair.id}`, 'positive', pair.attack),
        ...pair.discussions.map((text, index) => row(`${pair.id}.d${index}`, 'negative', text)),
      ]
    })
}
