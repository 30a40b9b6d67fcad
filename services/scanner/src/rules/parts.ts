/** How a pattern names a part; no pattern means these braces as text. */
const NAME = /\{\{([^{}]*)\}\}/g

/** The parts of a pack by name, each as its alternatives; a part may name those written before it. */
export function joinParts(lists: Readonly<Record<string, string[]>>): ReadonlyMap<string, string> {
  const parts = new Map<string, string>()
  for (const [name, alternatives] of Object.entries(lists)) {
    parts.set(name, withParts(alternatives.join('|'), parts))
  }
  return parts
}

/** A pattern with the parts that it names in their places. Throws if one is not there. */
export function withParts(pattern: string, parts: ReadonlyMap<string, string>): string {
  return pattern.replace(NAME, (_, name: string) => {
    const part = parts.get(name)
    if (part === undefined) throw new Error(`there is no part ${name}`)
    return part
  })
}
