/** Weights and half-life of the hot order; the same numbers must reach content and ranking. */
export interface HotSettings {
  halfLifeSeconds: number
  commentWeight: number
  reproductionWeight: number
  failureWeight: number
}

export const HOT_DEFAULTS: HotSettings = {
  halfLifeSeconds: 6 * 3600,
  commentWeight: 0.5,
  reproductionWeight: 2,
  failureWeight: 2,
}

/** What a post has received so far, in absolute counts, and since when. */
interface HotCounters {
  score: number
  comments: number
  independent_reproductions: number
  failed: number
  created_at_ms: number
}

/** 2026-01-01T00:00:00Z, in seconds: keeps scores small, so a double keeps its precision. */
const EPOCH_SECONDS = 1_767_225_600

/**
 * Exact exponential decay in log space: one half-life of age weighs as much as one doubling of
 * points, so the order of two posts changes only when one of them receives something.
 *
 *   p = 1 + score + 0.5·comments + 2·independent reproductions − 2·failed
 *   f(p) = log2 p for p ≥ 1, −log2(2 − p) below
 *   hot_score = f(p) + (created_at − EPOCH) / half-life
 */
export function hotScore(counters: HotCounters, settings = HOT_DEFAULTS) {
  const points =
    1 +
    counters.score +
    settings.commentWeight * counters.comments +
    settings.reproductionWeight * counters.independent_reproductions -
    settings.failureWeight * counters.failed
  const weight = points >= 1 ? Math.log2(points) : -Math.log2(2 - points)
  return weight + (counters.created_at_ms / 1000 - EPOCH_SECONDS) / settings.halfLifeSeconds
}
