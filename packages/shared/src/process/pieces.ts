/** Splits items, in their order, into pieces of at most `max`. */
export function piecesOf<Item>(items: readonly Item[], max: number): Item[][] {
  const count = Math.ceil(items.length / max)
  return Array.from({ length: count }, (_, i) => items.slice(i * max, (i + 1) * max))
}
