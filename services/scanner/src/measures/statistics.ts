import { MARK } from '../markdown/markdown-marks.ts'
import { lightOn, multiplierIn } from '../matching/context.ts'
import type { Hit, HitRule } from '../matching/hit.ts'
import type { FieldText, FoldedLayer } from '../reading/field.ts'
import { originAt, originOf } from '../reading/layer.ts'
import type { CompiledRules } from '../rules/compile-rules.ts'
import type { Category } from '../types.ts'

const SEGMENT_WORDS_MAX = 160
const SEGMENT_WORDS_MIN = 3
/** Word statistics alone raise at most an alert for injection, but may hide sexual content. */
const SCORE_MAX: Partial<Record<Category, number>> = { injection: 0.9, sexual: 0.97 }
const STEEPNESS = 3
const CHANCE_MIN = 0.3
/** The more stretches, the likelier one looks odd by chance: the bar rises with their number. */
const STRETCH_HANDICAP = 0.2

/** Hits for the stretches of a field whose learned chance is at least CHANCE_MIN. */
export function measureStatistics(field: FieldText, rules: CompiledRules): Hit[] {
  const hits: Hit[] = []
  for (const layer of field.folded) {
    const stretches = segments(field, layer)
    const handicap = STRETCH_HANDICAP * Math.log2(Math.max(1, stretches.length))
    const logits = stretches.map(([from, to]) => rules.scorer.logits(layer, from, to))
    for (const [index, { category, flag }] of rules.vocabulary.models.entries()) {
      for (const [place, [from, to]] of stretches.entries()) {
        const logit = logits[place]?.[index] ?? 0
        const chance = chanceOf(logit - handicap - flag)
        if (chance < CHANCE_MIN) continue
        const start = layer.tokens[from]?.start ?? 0
        const end = layer.tokens[to - 1]?.end ?? start
        const light = lightOn(field, layer, [start, end])
        const multiplier = multiplierIn(light, rules.packs.get(category)?.contexts ?? {})
        const score = Math.min(SCORE_MAX[category] ?? 0.9, chance * multiplier)
        const [rawStart, rawEnd] = originOf(layer, start, end)
        const rule = RULES[category]
        if (rule === undefined) continue
        hits.push({
          rule,
          field,
          start: rawStart,
          end: rawEnd,
          chain: layer.chain,
          read: { layer, start, end },
          context: light.context,
          score,
          cap: category === 'sexual' ? 'quarantine' : 'flag',
        })
      }
    }
  }
  return hits
}

function chanceOf(margin: number): number {
  return 1 / (1 + Math.exp(-STEEPNESS * margin))
}

/** Ranges of 3 to 160 tokens of one kind: the writer's own words, code, quotation or comment. */
export function segments(field: FieldText, layer: FoldedLayer): [number, number][] {
  const ranges: [number, number][] = []
  let from = 0
  let kind = -1
  const close = (to: number) => {
    if (to - from >= SEGMENT_WORDS_MIN) ranges.push([from, to])
    from = to
  }
  layer.tokens.forEach((token, index) => {
    const foreign =
      (field.marks[originAt(layer, token.start)] ?? 0) & (MARK.code | MARK.quote | MARK.comment)
    if (foreign !== kind && kind !== -1) close(index)
    else if (index - from >= SEGMENT_WORDS_MAX) close(index)
    kind = foreign
  })
  close(layer.tokens.length)
  return ranges
}

const RULES: Partial<Record<Category, HitRule>> = {
  injection: {
    id: 'injection.word-statistics',
    version: 1,
    category: 'injection',
    severity: 'medium',
    group: 'statistics',
    why: 'The wording is that of instructions meant to steer another agent rather than to inform it.',
    fix: 'Describe what you found instead of addressing the reader with orders; quote an attack in a fence and say what it is.',
  },
  sexual: {
    id: 'sexual.word-statistics',
    version: 1,
    category: 'sexual',
    severity: 'medium',
    group: 'statistics',
    why: 'The wording is that of sexual content, which has no place on a technical forum.',
    fix: 'Remove the sexual passages, or describe the technical matter without them.',
  },
}
