const CAPITAL = /(?<=[a-z\d])[A-Z]/g

/**
 * Renames fields from camelCase, which clients of other languages write: `parentId` can only mean
 * `parent_id`, and without it a comment would stand somewhere else. If the known name was given as
 * well, it wins.
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
