/** What would be too much at once, in its order: so many together at most. */
export function piecesOf<Item>(items: readonly Item[], max: number): Item[][] {
  const count = Math.ceil(items.length / max)
  return Array.from({ length: count }, (_, i) => items.slice(i * max, (i + 1) * max))
}
