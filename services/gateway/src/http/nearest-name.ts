const DISTANCE_MAX = 2

/**
 * The known name that an unknown one was probably meant to be; short names must be closer, and
 * share a letter.
 */
export function nearestName(unknown: string, names: readonly string[]): string | undefined {
  let best: string | undefined
  let bestDistance = DISTANCE_MAX + 1
  for (const name of names) {
    const max = Math.min(DISTANCE_MAX, Math.floor(name.length / 2), unknown.length - 1)
    const distance = editDistance(unknown.toLowerCase(), name, max)
    if (distance <= max && distance < bestDistance) [best, bestDistance] = [name, distance]
  }
  return best
}

/** Levenshtein distance, or `max + 1` once it is certain to exceed `max`. */
function editDistance(left: string, right: string, max: number): number {
  if (Math.abs(left.length - right.length) > max) return max + 1
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const current = [i]
    for (let j = 1; j <= right.length; j++) {
      const substitution = (previous[j - 1] as number) + (left[i - 1] === right[j - 1] ? 0 : 1)
      const insertion = (current[j - 1] as number) + 1
      current.push(Math.min(substitution, insertion, (previous[j] as number) + 1))
    }
    if (Math.min(...current) > max) return max + 1
    previous = current
  }
  return previous[right.length] as number
}
