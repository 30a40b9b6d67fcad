import { type CompiledRule, type CompiledRules, forgetTexts, only } from '../rules/compile-rules.ts'
import { findHits, scan } from '../scan.ts'

const SHOWN_LENGTH = 40

/** Checks the examples of the rules and the benign canaries. Throws with the first 40 failures. */
export function checkExamples(rules: CompiledRules, canaries: readonly string[]): void {
  const failures: string[] = []
  for (const rule of rules.rules) {
    if (rule.status === 'shadow') continue
    const alone = only(rules, neededBy(rule, rules))
    const found = (text: string) =>
      findHits({ body_md: text }, alone).hits.some((hit) => hit.rule.id === rule.id)
    rule.examples.hits.forEach((example, index) => {
      if (!found(example)) failures.push(`${rule.id}: hit ${index} is not found`)
    })
    rule.examples.misses.forEach((example, index) => {
      if (found(example)) failures.push(`${rule.id}: miss ${index} is found`)
    })
    rule.examples.discussions.forEach((example, index) => {
      const { verdict } = scan({ body_md: example }, rules)
      if (verdict === 'block' || verdict === 'quarantine') {
        failures.push(`${rule.id}: discussion ${index} is hidden`)
      }
    })
    // What the engine keeps of all examples would take nearly as much as the rules themselves.
    forgetTexts(rules)
  }
  canaries.forEach((text, index) => {
    const { verdict, findings } = scan({ body_md: text }, rules)
    if (verdict !== 'allow') {
      failures.push(
        `canary ${index} (${text.slice(0, SHOWN_LENGTH)}): ${verdict} by ${findings[0]?.rule}`,
      )
    }
  })
  if (failures.length > 0)
    throw new Error(`examples do not hold:\n${failures.slice(0, 40).join('\n')}`)
}

/** The rules needed to find every hit of `rule`: for a supporting rule, all of its category. */
function neededBy(rule: CompiledRule, { rules }: CompiledRules): CompiledRule[] {
  return rule.supports ? rules.filter(({ category }) => category === rule.category) : [rule]
}
