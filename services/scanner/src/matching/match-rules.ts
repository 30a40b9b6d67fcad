import type { Verdict } from '@stoa/shared/contracts/verdicts.js'
import { isAlphanumeric, isLetter, isToken } from '../ascii.ts'
import type { FieldText } from '../reading/field.ts'
import { type Layer, originOf } from '../reading/layer.ts'
import type { CompiledRule, CompiledRules } from '../rules/compile-rules.ts'
import type { Match } from '../rules/engine.ts'
import { entropy } from '../rules/entropy.ts'
import type { KeywordHit } from '../rules/keyword-automaton.ts'
import type { Reading } from '../rules/pack.ts'
import { VALIDATORS } from '../rules/validators.ts'
import type { Category, Context } from '../types.ts'
import { assignedValues } from './assigned-value.ts'
import { lightOn, multiplierIn } from './context.ts'
import { type Hit, hitRule } from './hit.ts'
import { isKept } from './key-place.ts'
import { hitStarts, isNearOne } from './near-hits.ts'
import { isNegated } from './negation.ts'
import { isPlaceholder, isPublishedSample, isSequential } from './placeholder.ts'
import { type Place, type Woken, windowsOf, wokenRules } from './windows.ts'
import { isWithinBase64 } from './within-base64.ts'

const KEYWORD_HITS_MAX = 20_000
/** Hits of a rule in a layer that would each raise an alert alone; secrets have no such bound. */
const TELLING_HITS_MAX = 20
/** The most matches of a rule in a layer, whatever they score. */
const MATCHES_MAX = 2_000
const SECRETS_MAX = 500

/**
 * The characters that all patterns together may still read for one item, and whether these ran out.
 * Text built to wake every rule runs out, and that is a finding of its own.
 */
export type Effort = { left: number; spent: boolean }

// Long benign documents need up to 13 characters of matching for each character of text.
const EFFORT_PER_CHARACTER = 14
const EFFORT_BASE = 60_000
/** Locating the matches in a text costs several times as much as finding out that there is one. */
const PLACING_COST = 4
/** Determining the light on a match costs as much as reading this many characters. */
const LIGHT_COST = 64
/** Factor for a short word list, perhaps of keywords: one order raises no alert, two do. */
const SHORT_LIST_WEIGHT = 0.8

/** The effort granted to an item of `length` UTF-16 units. */
export function newEffort(length: number): Effort {
  return { left: EFFORT_BASE + EFFORT_PER_CHARACTER * length, spent: false }
}

/**
 * Every hit in a field of the data rules, or of those of one category. Patterns are matched only in
 * windows around keywords.
 */
export function matchRules(
  field: FieldText,
  rules: CompiledRules,
  effort: Effort,
  category?: Category,
): Hit[] {
  const hits: Hit[] = []
  const supports: Support[] = []
  const found = new Map<Layer, KeywordHit[]>()
  for (const layer of field.exact) {
    found.set(layer, rules.search.find(layer.text, KEYWORD_HITS_MAX))
    matchLayer(
      { field, layer, rules, effort, category, view: 'raw' },
      found.get(layer),
      hits,
      supports,
    )
  }
  for (const layer of field.rendered) {
    matchLayer(
      { field, layer, rules, effort, category, view: 'rendered' },
      undefined,
      hits,
      supports,
    )
  }
  for (const layer of field.folded) {
    // Keywords are found in either case, so at the same places in a layer only lowercased.
    const known = layer.lowered === null ? undefined : found.get(layer.lowered)
    matchLayer({ field, layer, rules, effort, category, view: 'folded' }, known, hits, supports)
  }
  hits.push(...matchSupports(supports, hits))
  // Separated words may be a list of anything, so hints among them support nothing.
  for (const layer of field.listed) {
    const listed: Hit[] = []
    matchLayer({ field, layer, rules, effort, category, view: 'folded' }, undefined, listed, [])
    const weight = layer.isShort ? SHORT_LIST_WEIGHT : 1
    for (const hit of listed) hits.push({ ...hit, score: hit.score * weight })
  }
  return hits
}

type LayerSearch = {
  field: FieldText
  layer: Layer
  rules: CompiledRules
  effort: Effort
  category: Category | undefined
  view: Reading
}

/** A rule that only supports others, and the places of its keywords. */
type Support = { search: LayerSearch; rule: CompiledRule; places: Woken }

function matchLayer(
  search: LayerSearch,
  known: KeywordHit[] | undefined,
  hits: Hit[],
  supports: Support[],
): void {
  const { layer, rules, effort, category, view } = search
  const found = known ?? rules.search.find(layer.text, KEYWORD_HITS_MAX)
  if (found.length >= KEYWORD_HITS_MAX) effort.spent = true
  for (const [position, places] of wokenRules(layer, found, rules, view)) {
    const rule = rules.rules[position]
    if (rule === undefined || (category !== undefined && rule.category !== category)) continue
    if (rule.supports) supports.push({ search, rule, places })
    else if (rule.matcher === 'assigned') matchAssigned(search, rule, places.at, hits)
    else matchWindows(search, rule, windowsOf(places, rule, layer.text.length), hits)
  }
}

/** Matches supporting rules only near hits that they could support; most texts have none. */
function matchSupports(supports: readonly Support[], hits: readonly Hit[]): Hit[] {
  const found: Hit[] = []
  const starts = hitStarts(hits)
  for (const { search, rule, places } of supports) {
    const ofCategory = starts.get(rule.category)
    if (ofCategory === undefined) continue
    const { layer } = search
    const windows = windowsOf(places, rule, layer.text.length)
    const near = windows.filter((window) => isNearOne(ofCategory, layer, window))
    matchWindows(search, rule, near, found)
  }
  return found
}

/**
 * Matches a rule in its windows. Rejected matches count towards the bounds too, because they could
 * hide later ones; at a bound, the field counts as not read to its end.
 */
function matchWindows(search: LayerSearch, rule: CompiledRule, windows: Place[], hits: Hit[]) {
  const { layer, rules, effort } = search
  const secret = rule.category === 'secret'
  const most = secret ? SECRETS_MAX : MATCHES_MAX
  const telling = secret ? Infinity : (rules.packs.get(rule.category)?.thresholds.flag ?? 0)
  let matches = 0
  let tellingHits = 0
  for (const window of windows) {
    if (!afford(effort, window.end - window.start)) return
    const text = layer.text.slice(window.start, window.end)
    const found = rule.compiled?.matches(text, most) ?? []
    if (found.length > 0) effort.left -= PLACING_COST * text.length
    for (const match of found) {
      const hit = accept(search, rule, shift(match, window.start))
      if (hit === null) continue
      hits.push(hit)
      if (hit.score >= telling) tellingHits++
    }
    matches += found.length
    if (matches > TELLING_HITS_MAX) effort.left -= LIGHT_COST * found.length
    if (matches < most && tellingHits <= TELLING_HITS_MAX) continue
    effort.spent = true
    return
  }
}

function afford(effort: Effort, length: number): boolean {
  if (effort.left >= length) {
    effort.left -= length
    return true
  }
  effort.spent = true
  return false
}

function shift(match: Match, by: number): Match {
  return {
    start: match.start + by,
    end: match.end + by,
    innerStart: match.innerStart + by,
    innerEnd: match.innerEnd + by,
  }
}

function matchAssigned(search: LayerSearch, rule: CompiledRule, at: Place[], hits: Hit[]): void {
  const { layer, effort } = search
  for (const place of at) {
    if (!isWholeName(layer.text, place)) continue
    for (const { start, end } of assignedValues(layer.text, place.end)) {
      if (!afford(effort, end - start)) return
      if (rule.compiled?.testExact(layer.text.slice(start, end)) !== true) continue
      const match = { start: place.start, end, innerStart: start, innerEnd: end }
      const hit = accept(search, rule, match)
      if (hit !== null) hits.push(hit)
    }
  }
}

/** Whether a keyword is a whole name and not part of another: not the `sumo` of `sumOf`. */
function isWholeName(text: string, place: Place): boolean {
  const before = text.charCodeAt(place.start - 1)
  const first = text.charCodeAt(place.start)
  if (isLetter(before) && isLetter(first) && !(isLower(before) && !isLower(first))) return false
  const last = text.charCodeAt(place.end - 1)
  return !(isLetter(last) && !isLower(last) && isLower(text.charCodeAt(place.end - 2)))
}

function isLower(code: number): boolean {
  return code >= 97 && code <= 122
}

/** Checks what a pattern cannot express: boundaries, entropy, samples. Null if rejected. */
function accept(search: LayerSearch, rule: CompiledRule, match: Match): Hit | null {
  const { field, layer, rules } = search
  const { text } = layer
  if (!boundary(text, match, rule)) return null
  if (rule.negatable && isNegated(text, match.start)) return null
  if (rule.keepable && isKept(text, match.start, match.end)) return null
  const value = text.slice(match.innerStart, match.innerEnd)
  if (rule.entropy > 0 && entropy(value) < rule.entropy) return null
  if (rule.allowed.some((pattern) => pattern.test(text.slice(match.start, match.end)))) return null
  const secret = rule.category === 'secret'
  if (secret && (isPlaceholder(value) || isPublishedSample(value, rules.samples))) return null
  if (rule.validator !== undefined) {
    const validate = VALIDATORS[rule.validator]
    if (validate === undefined) throw new Error(`${rule.id}: no validator ${rule.validator}`)
    if (!validate(value, text, match)) return null
  }
  const light = lightOn(field, layer, [match.start, match.end])
  const { context } = light
  const contexts = { ...rules.packs.get(rule.category)?.contexts, ...rule.contexts }
  const multiplier = multiplierIn(light, contexts)
  const [start, end] = originOf(layer, match.innerStart, match.innerEnd)
  const cap: Verdict = rule.status === 'flag' ? 'flag' : 'block'
  const hit: Hit = {
    rule: hitRule(rule),
    field,
    start,
    end,
    chain: layer.chain,
    read: { layer, start: match.innerStart, end: match.innerEnd },
    context,
    score: Math.min(1, rule.score * multiplier * exampleDiscount(secret ? value : '', context)),
    cap,
  }
  if (secret) hit.secret = value
  return hit
}

/** A key that merely counts up is an example: worth an alert in prose, none in code or a quote. */
function exampleDiscount(secret: string, context: Context): number {
  if (secret === '' || !isSequential(secret)) return 1
  return context === 'prose' || context === 'hidden' ? 0.75 : 0.45
}

function boundary(text: string, match: Match, rule: CompiledRule): boolean {
  if (rule.category !== 'secret' || rule.matcher === 'assigned') return true
  if (rule.left === 'word') {
    if (isAlphanumeric(text.charCodeAt(match.innerStart - 1))) return false
    if (isWithinBase64(text, match.innerStart, match.innerEnd)) return false
  }
  const next = text.charCodeAt(match.innerEnd)
  if (rule.right === 'none') return true
  if (isAlphanumeric(next)) return false
  return rule.right === 'word' || !isToken(next)
}
