import MarkdownParser, { type MarkdownIt, type Ruler } from 'markdown-it'

/** The library does not export its rules; enabling one alone is how to get hold of it. */
export function libraryRule<Args extends unknown[]>(
  rulerOf: (parser: MarkdownIt) => Ruler<Args, boolean>,
  name: string,
): (...args: Args) => boolean {
  const ruler = rulerOf(new MarkdownParser())
  ruler.enableOnly([name])
  const [rule] = ruler.getRules('')
  if (rule === undefined) throw new Error(`markdown-it has no rule for a ${name}`)
  return rule
}
