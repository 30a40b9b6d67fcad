import type { Redis } from 'ioredis'
import { z } from 'zod'
import type { Breakers } from '../downstream/breakers.ts'

/** As long as most alerts are read for; who needs longer claims it. */
const LOOK_SECONDS = 120

/** Who has opened an alert, and when. */
const Look = z.object({ handle: z.string(), at: z.string() })
export type Look = z.output<typeof Look>

export interface Looks {
  /** Notes that a moderator reads an alert, and answers who was there before. */
  begin(alertId: string, handle: string): Promise<Look | null>
  /** Who of the others reads which of these alerts. */
  others(alertIds: readonly string[], handle: string): Promise<ReadonlyMap<string, Look>>
}

/**
 * Who reads which alert is a hint, so that two do not judge the same. It is kept in Redis alone, ends
 * by itself and keeps nobody from anything; while Redis is away nobody seems to read.
 */
export function createLooks(redis: Redis, breakers: Breakers): Looks {
  const ask = <T>(work: () => Promise<T>) => breakers.run('redis', work).catch(() => undefined)
  return {
    begin: async (alertId, handle) => {
      const name = nameOf(alertId)
      const look = JSON.stringify({ handle, at: new Date().toISOString() })
      const answers = await ask(async () => {
        // The first keeps it: what is asked is who was there before.
        return redis.pipeline().set(name, look, 'EX', LOOK_SECONDS, 'NX').get(name).exec()
      })
      return byAnother(parse(answers?.[1]?.[1]), handle)
    },
    others: async (alertIds, handle) => {
      if (alertIds.length === 0) return new Map()
      const values = (await ask(() => redis.mget(alertIds.map(nameOf)))) ?? []
      const found = alertIds.map((id, at) => [id, byAnother(parse(values[at]), handle)] as const)
      return new Map(found.flatMap(([id, look]) => (look ? [[id, look]] : [])))
    },
  }
}

function nameOf(alertId: string): string {
  return `look:${alertId}`
}

function parse(value: unknown): Look | null {
  return typeof value === 'string' ? Look.parse(JSON.parse(value)) : null
}

function byAnother(look: Look | null, handle: string): Look | null {
  return look?.handle === handle ? null : look
}
