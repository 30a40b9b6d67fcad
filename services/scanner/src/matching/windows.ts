import { isToken } from '../ascii.ts'
import type { Layer } from '../reading/layer.ts'
import type { CompiledRule, CompiledRules } from '../rules/compile-rules.ts'
import type { KeywordHit } from '../rules/keyword-automaton.ts'
import type { Reading } from '../rules/pack.ts'

/** A range of a layer's text, as UTF-16 offsets. */
export type Place = { start: number; end: number }

/** The places of a rule's keywords, and for each required list the ends of its texts. */
export type Woken = { at: Place[]; required: readonly number[][] }

/** The rules with keywords in a layer that is read as `view`, and their places in reading order. */
export function wokenRules(
  layer: Layer,
  found: readonly KeywordHit[],
  rules: CompiledRules,
  view: Reading,
): Map<number, Woken> {
  const woken = new Map<number, Woken>()
  const required = new Map<number, number[][]>()
  const requiredOf = (position: number) => {
    const lists = required.get(position) ?? rules.rules[position]?.requires.map(() => []) ?? []
    required.set(position, lists)
    return lists
  }
  for (const { keyword, end } of found) {
    const entry = rules.byKeyword[keyword]
    if (entry === undefined) continue
    const goesOn = isToken(layer.text.charCodeAt(end))
    for (const position of entry[view]) {
      if (!goesOn && rules.rules[position]?.next === 'token') continue
      const at = { start: end - entry.keyword.length, end }
      const known = woken.get(position)
      if (known === undefined) woken.set(position, { at: [at], required: requiredOf(position) })
      else known.at.push(at)
    }
    for (const { position, list } of entry.required) requiredOf(position)[list]?.push(end)
  }
  return woken
}

/** The stretches around a rule's keywords in which a match of it may stand, in reading order. */
export function windowsOf({ at, required }: Woken, rule: CompiledRule, length: number): Place[] {
  const merged: Place[] = []
  for (const place of at) {
    const start = Math.max(0, place.start - rule.before)
    const end = Math.min(length, place.end + rule.after)
    const last = merged.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  return required.length === 0 ? merged : merged.filter(holdsOneOfEach(required))
}

/** Whether a text of each list ends in a window; the windows must be passed in reading order. */
function holdsOneOfEach(lists: readonly (readonly number[])[]) {
  const passed = lists.map(() => 0)
  return ({ start, end }: Place) =>
    lists.every((ends, list) => {
      let next = passed[list] ?? 0
      while (next < ends.length && (ends[next] ?? 0) <= start) next++
      passed[list] = next
      return next < ends.length && (ends[next] ?? 0) <= end
    })
}
