import { createHash } from 'node:crypto'
import { isError } from '@stoa/shared/process/is-error.js'
import type { Redis } from 'ioredis'

/** A Lua script, which Redis runs as one indivisible step. */
export interface Script {
  lua: string
  sha: string
}

export function script(lua: string): Script {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') }
}

/** Runs a script by its digest, and sends its text only when Redis does not know it yet. */
export async function runScript(
  redis: Redis,
  { lua, sha }: Script,
  keys: string[],
  args: (string | number)[],
): Promise<unknown> {
  try {
    return await redis.evalsha(sha, keys.length, ...keys, ...args)
  } catch (error) {
    if (!(isError(error) && error.message.startsWith('NOSCRIPT'))) throw error
    return redis.eval(lua, keys.length, ...keys, ...args)
  }
}
