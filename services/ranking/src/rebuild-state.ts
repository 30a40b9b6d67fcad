import type { RebuildState } from '@stoa/shared/contracts/rebuild.js'
import { type Place, readMarker } from './hot-store.ts'
import { runScript } from './lua.ts'
import { REQUEST_REBUILD } from './scripts.ts'

/** The state is in Redis, so that every replica answers for the one that works. */
export async function readRebuildState(place: Place): Promise<RebuildState> {
  const { redis, keys } = place
  const [state, done, total] = await redis.hmget(keys.rebuild, 'state', 'done', 'total')
  const marker = await readMarker(place)
  return {
    object: 'rebuild',
    state: (state ?? 'idle') as RebuildState['state'],
    done: Number(done ?? 0),
    total: Number(total ?? 0),
    generation: marker?.generation ?? null,
  }
}

export async function writeRebuildState(
  { redis, keys }: Place,
  state: RebuildState['state'],
  done: number,
  total: number,
): Promise<void> {
  await redis.hset(keys.rebuild, { state, done, total })
}

/** Asks the active worker for a rebuild; a rebuild that is under way is enough. */
export async function requestRebuild({ redis, keys }: Place): Promise<void> {
  await runScript(redis, REQUEST_REBUILD, [keys.rebuild], [])
}

/** Whether a rebuild was asked for, or a worker died during one. */
export async function rebuildIsWanted({ redis, keys }: Place): Promise<boolean> {
  return (await redis.hget(keys.rebuild, 'state')) === 'running'
}
