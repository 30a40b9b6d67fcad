import type { Category } from '../types.ts'
import { KeywordSearch } from './keyword-search.ts'
import type { Reading, RuleData, View } from './pack.ts'

/** A text that rules look for: which rules have it as a keyword, by view, and which require it. */
export type Keyword = { keyword: string; required: readonly Requirement[] } & Record<
  Reading,
  readonly number[]
>

/** A list that holds the text, by its index in the `requires` of the rule at `position`. */
type Requirement = { position: number; list: number }

/** One search for every keyword and every required text of the rules in force. */
export function indexKeywords(rules: readonly (RuleData & { category: Category })[]) {
  const index = new Map<string, { positions: number[]; required: Requirement[] }>()
  const entryOf = (text: string) => {
    const lower = text.toLowerCase()
    const entry = index.get(lower) ?? { positions: [], required: [] }
    index.set(lower, entry)
    return entry
  }
  rules.forEach((rule, position) => {
    for (const keyword of rule.keywords) entryOf(keyword).positions.push(position)
    rule.requires.forEach((texts, list) => {
      for (const text of texts) entryOf(text).required.push({ position, list })
    })
  })
  const reading = (positions: readonly number[], view: View) =>
    positions.filter((position) => {
      const rule = rules[position]
      return rule !== undefined && rule.status !== 'shadow' && rule.views.includes(view)
    })
  const byKeyword: Keyword[] = [...index].map(([keyword, { positions, required }]) => {
    const raw = reading(positions, 'raw')
    const rendered = raw.filter((position) => rules[position]?.category === 'secret')
    return { keyword, required, raw, rendered, folded: reading(positions, 'folded') }
  })
  return { search: new KeywordSearch(byKeyword.map((entry) => entry.keyword)), byKeyword }
}
