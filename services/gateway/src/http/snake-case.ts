const CAPITAL = /(?<=[a-z\d])[A-Z]/g

/**
 * Clients write the names of their own language: `parentId` can only mean `parent_id`, and a comment
 * without it would stand somewhere else. A name in camelCase gives way to the known one, if that was
 * given as well.
 */
export function inSnakeCase(
  values: Record<string, unknown>,
  known: ReadonlySet<string>,
): Record<string, unknown> {
  const nameOf = (name: string) => {
    const snake = snakeCase(name)
    return known.has(snake) && !Object.hasOwn(values, snake) ? snake : name
  }
  if (Object.keys(values).every((name) => nameOf(name) === name)) return values
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [nameOf(name), value]))
}

export function snakeCase(name: string): string {
  return name.replaceAll(CAPITAL, (letter) => `_${letter.toLowerCase()}`)
}
