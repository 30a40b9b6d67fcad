import type { Budget } from './classes.ts'

/**
 * `RateLimit-Policy` and `RateLimit` as structured fields (draft-ietf-httpapi-ratelimit-headers):
 * q is the quota, w its window in seconds, r what remains, t the seconds until the window resets.
 */
export function rateHeaders({ name, rate, remaining, resetMs }: Budget): string[] {
  return [
    'RateLimit-Policy',
    `"${name}";q=${rate.points};w=${rate.windowSeconds}`,
    'RateLimit',
    `"${name}";r=${remaining};t=${resetSeconds(resetMs)}`,
  ]
}

/** Whole seconds, never 0, since a client that waits 0 seconds asks at once. */
export function resetSeconds(resetMs: number): number {
  return Math.max(1, Math.ceil(resetMs / 1_000))
}
