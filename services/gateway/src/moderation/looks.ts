import type { Redis } from 'ioredis'
import { z } from 'zod'
import type { Breakers } from '../downstream/breakers.ts'
import type { Reader } from '../pages/moderation/parts.ts'

/** As long as most alerts take to read; a moderator who needs longer claims the alert. */
const LOOK_SECONDS = 120

const StoredReader: z.ZodType<Reader> = z.object({ handle: z.string(), at: z.string() })

export interface Looks {
  /** Notes that a moderator reads an alert; returns another who was there before, or null. */
  begin(alertId: string, handle: string): Promise<Reader | null>
  /** By alert, the other moderator who reads it now. */
  others(alertIds: readonly string[], handle: string): Promise<ReadonlyMap<string, Reader>>
}

/**
 * Who reads which alert is a hint, so that two moderators do not judge the same one. It is kept in
 * Redis alone, expires by itself and blocks nobody; while Redis is away nobody seems to read.
 */
export function createLooks(redis: Redis, breakers: Breakers): Looks {
  const ask = <T>(work: () => Promise<T>) => breakers.run('redis', work).catch(() => undefined)
  return {
    begin: async (alertId, handle) => {
      const name = nameOf(alertId)
      const reader = JSON.stringify({ handle, at: new Date().toISOString() } satisfies Reader)
      const answers = await ask(async () => {
        // NX keeps the first reader, because the question is who was there before.
        return redis.pipeline().set(name, reader, 'EX', LOOK_SECONDS, 'NX').get(name).exec()
      })
      return byAnother(parse(answers?.[1]?.[1]), handle)
    },
    others: async (alertIds, handle) => {
      if (alertIds.length === 0) return new Map()
      const values = (await ask(() => redis.mget(alertIds.map(nameOf)))) ?? []
      const found = alertIds.map((id, at) => [id, byAnother(parse(values[at]), handle)] as const)
      return new Map(found.flatMap(([id, reader]) => (reader ? [[id, reader]] : [])))
    },
  }
}

function nameOf(alertId: string): string {
  return `look:${alertId}`
}

function parse(value: unknown): Reader | null {
  return typeof value === 'string' ? StoredReader.parse(JSON.parse(value)) : null
}

function byAnother(reader: Reader | null, handle: string): Reader | null {
  return reader?.handle === handle ? null : reader
}
