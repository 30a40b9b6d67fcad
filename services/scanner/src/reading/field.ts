import { type MarkdownEffort, newMarkdownEffort } from '../markdown/markdown-cost.ts'
import { MARK, type Marks } from '../markdown/markdown-marks.ts'
import { parseMarkdown } from '../markdown/parse.ts'
import type { CompiledRules } from '../rules/compile-rules.ts'
import { type Token, tokenize } from '../words/tokens.ts'
import { type DecodeBudget, decodeLayers, newDecodeBudget } from './decode.ts'
import type { Layer } from './layer.ts'
import { backwardsLayer } from './views/backwards.ts'
import { blankMarkup } from './views/blank-markup.ts'
import { closeUpLayer } from './views/close-up.ts'
import { decipherLayers } from './views/decipher.ts'
import { foldLayer } from './views/fold.ts'
import { hiddenTextLayer } from './views/hidden-text.ts'
import { joinStringsLayer } from './views/join-strings.ts'
import { renderLayer } from './views/render.ts'
import { rejoinLayer, unleetLayer } from './views/respell.ts'
import { stripLayer } from './views/strip.ts'
import { upsideDownLayer } from './views/upside-down.ts'
import { type ListedLayer, wordListLayers } from './views/word-list.ts'
import { wrapLayer } from './views/wrap.ts'

/**
 * A layer with blanks for the markup between its words, with these words and the vocabulary number
 * of each form. Made once and used by every measure.
 */
export type FoldedLayer = Layer & {
  tokens: Token[]
  numbers: number[]
  /** For each word, whether it is known by itself. */
  isKnown: boolean[]
  /** The layer of which this one is the lower case and nothing else. */
  lowered: Layer | null
}

/** One field of an item, read in every way the detectors need. */
export type FieldText = {
  name: string
  raw: string
  marks: Marks
  /** Letter case kept, for keys, URLs and commands; also without markup that disguises words. */
  exact: Layer[]
  /** Without markup and ends of lines that may cut a key; read for keys alone. */
  rendered: Layer[]
  /** Normalised and in lower case, for words. */
  folded: FoldedLayer[]
  /** Stretches of `folded` in which words are separated one by one, without the separators. */
  listed: ListedLayer[]
  /** Whether all encoded text in the field was written out. */
  isWhole: boolean
}

/** The budgets left for reading one item, shared by all its fields. */
type ReadingEffort = { markdown: MarkdownEffort; decode: DecodeBudget }

/** The effort granted to an item of `length` UTF-16 units. */
export function newReadingEffort(length: number): ReadingEffort {
  return { markdown: newMarkdownEffort(), decode: newDecodeBudget(length) }
}

/** Reads a field; parsing and decoding it draw on the budgets of its item. */
export function readField(
  name: string,
  raw: string,
  rules: CompiledRules,
  effort: ReadingEffort = newReadingEffort(raw.length),
): FieldText {
  const plain: Layer = { text: raw, origin: null, chain: [], hidden: false, altered: null }
  const stripped = stripLayer(plain)
  const seen = [plain, stripped, hiddenTextLayer(raw), backwardsLayer(raw), upsideDownLayer(raw)]
  const exact: Layer[] = seen.filter((layer) => layer !== null)
  const cutsBefore = effort.decode.cuts
  const first = stripped === null ? 0 : 1
  for (const layer of exact.slice(first)) exact.push(...decodeLayers(layer, effort.decode))
  for (const layer of exact.slice(first)) {
    const closed = closeUpLayer(layer)
    if (closed !== null) exact.push(closed)
  }
  const joined = joinStringsLayer(stripped ?? plain)
  if (joined !== null) exact.push(joined)
  const wrapped = wrapLayer(stripped ?? plain)
  const rendered = wrapped === null ? [] : [wrapped]
  for (const layer of [...exact]) {
    const shown = layer === plain && stripped !== null ? null : renderLayer(layer)
    if (shown !== null) (shown.isDisguise ? exact : rendered).push(shown.layer)
  }
  const folded: FoldedLayer[] = []
  for (const layer of exact)
    if (layer !== stripped) folded.push(withTokens(foldLayer(layer), rules, layer))
  for (const layer of [...folded]) {
    const respelled = [
      rejoinLayer(layer, rules.words),
      unleetLayer(layer, rules.words),
      ...decipherLayers(layer, rules.words),
    ]
    for (const spelled of respelled) if (spelled !== null) folded.push(withTokens(spelled, rules))
  }
  return {
    name,
    raw,
    marks: parseMarkdown(raw, effort.markdown),
    exact,
    rendered,
    folded,
    listed: folded.flatMap(wordListLayers),
    isWhole: effort.decode.cuts === cutsBefore,
  }
}

/** Spelled out, because a property added to a spread costs ten times what it costs in a literal. */
function withTokens(layer: Layer, { vocabulary }: CompiledRules, from?: Layer): FoldedLayer {
  const { origin, chain, hidden, altered } = layer
  const tokens = tokenize(layer.text)
  const numbers = vocabulary.numbersOf(tokens)
  const isKnown = tokens.map(({ form }) => vocabulary.isKnown(numbers[form] ?? 0))
  const text = blankMarkup(layer.text)
  // Any other change of a character makes new origins.
  const lowered = from?.origin === origin && text === layer.text ? from : null
  return { text, origin, chain, hidden, altered, tokens, numbers, isKnown, lowered }
}

const QUOTED = MARK.code | MARK.quote | MARK.info

/** Share of the field that is quotation or code. */
export function quotedShare(field: FieldText): number {
  let quoted = 0
  let visible = 0
  for (let index = 0; index < field.marks.length; index++) {
    const code = field.raw.charCodeAt(index)
    if (code === 32 || code === 10 || code === 62 || code === 96) continue
    visible++
    if (((field.marks[index] ?? 0) & QUOTED) !== 0) quoted++
  }
  return visible === 0 ? 0 : quoted / visible
}
