import MarkdownParser, { type MarkdownIt, type Ruler } from 'markdown-it'

/**
 * A rule of the library, which exports none; to get one, it is enabled alone. Throws if unknown.
 */
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
