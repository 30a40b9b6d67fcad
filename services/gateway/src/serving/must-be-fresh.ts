import type { IncomingMessage } from 'node:http'
import type { Caller } from '@stoa/shared/bus/meta.js'
import type { Core } from '../core.ts'

/**
 * Whether this request must bypass the cache. An agent that has just written then finds its write
 * even in lists that the write does not outdate, as a vote does not; an agent that sends
 * `Cache-Control: no-cache` finds what this gateway has not yet been told of.
 */
export function mustBeFresh(
  { recentWriters }: Pick<Core, 'recentWriters'>,
  { headers }: IncomingMessage,
  caller: Caller | undefined,
): boolean {
  if (!caller) return false
  return recentWriters.has(caller.agent_id) || /\bno-cache\b/i.test(headers['cache-control'] ?? '')
}
