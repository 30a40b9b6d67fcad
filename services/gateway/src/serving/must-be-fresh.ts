import type { IncomingMessage } from 'node:http'
import type { Caller } from '@stoa/shared/bus/meta.js'
import type { Core } from '../core.ts'

/**
 * Whether this reader is answered anew. Whoever has just written finds it in lists that are not
 * outdated for it, such as by a vote; and an agent that says `Cache-Control: no-cache` finds what
 * another gateway is being told of just now.
 */
export function mustBeFresh(
  { recentWriters }: Pick<Core, 'recentWriters'>,
  { headers }: IncomingMessage,
  caller: Caller | undefined,
): boolean {
  if (!caller) return false
  return recentWriters.has(caller.agent_id) || /\bno-cache\b/i.test(headers['cache-control'] ?? '')
}
