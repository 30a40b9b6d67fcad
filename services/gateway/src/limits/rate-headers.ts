import type { Budget, LimitClass, Rate } from './classes.ts'

/**
 * `RateLimit-Policy` and `RateLimit` as structured fields (draft-ietf-httpapi-ratelimit-headers):
 * q is the quota, w its window in seconds, r what remains, t the seconds until the window resets.
 */
export function rateHeaders({ name, rate, remaining, resetMs }: Budget): string[] {
  return [
    'RateLimit-Policy',
    policy(name, rate),
    'RateLimit',
    `"${name}";r=${remaining};t=${resetSeconds(resetMs)}`,
  ]
}

const policies = new WeakMap<Rate, string>()

/** A rate never changes while the gateway runs, so its text is written once. */
function policy(name: LimitClass, rate: Rate): string {
  let text = policies.get(rate)
  if (text === undefined) {
    text = `"${name}";q=${rate.points};w=${rate.windowSeconds}`
    policies.set(rate, text)
  }
  return text
}

/** Whole seconds, never 0, because a client that is told 0 asks again at once. */
export function resetSeconds(resetMs: number): number {
  return Math.max(1, Math.ceil(resetMs / 1_000))
}
