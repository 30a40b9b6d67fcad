import { type Layer, originOf } from '../reading/layer.ts'
import type { Category } from '../types.ts'
import { CLUSTER_LENGTH, type Hit } from './hit.ts'
import type { Place } from './windows.ts'

/** The starts of the hits of each category in their field, in ascending order. */
export function hitStarts(hits: readonly Hit[]): Map<Category, number[]> {
  const starts = new Map<Category, number[]>()
  for (const { rule, start } of hits) {
    const known = starts.get(rule.category)
    if (known === undefined) starts.set(rule.category, [start])
    else known.push(start)
  }
  for (const ofCategory of starts.values()) ofCategory.sort((a, b) => a - b)
  return starts
}

/** Whether a stretch of a layer is near enough to one of these hits to be weighed with it. */
export function isNearOne(starts: readonly number[], layer: Layer, stretch: Place): boolean {
  const [start, end] = originOf(layer, stretch.start, stretch.end)
  const next = starts[firstFrom(starts, start - CLUSTER_LENGTH)]
  return next !== undefined && next <= end + CLUSTER_LENGTH
}

/** Index of the first number that is at least `least`; bisected, because hits may be thousands. */
function firstFrom(sorted: readonly number[], least: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}
