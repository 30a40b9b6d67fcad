import type { Redis } from 'ioredis'
import { z } from 'zod'
import type { Breakers } from '../downstream/breakers.ts'
import type { Reader } from '../pages/moderation/parts.ts'

/** As long as most alerts are read for; who needs longer claims it. */
const LOOK_SECONDS = 120

const StoredReader: z.ZodType<Reader> = z.object({ handle: z.string(), at: z.string() })

export interface Looks {
  /** Notes that a moderator reads an alert, and answers who was there before. */
  begin(alertId: string, handle: string): Promise<Reader | null>
  /** Who of the others reads which of these alerts. */
  others(alertIds: readonly string[], handle: string): Promise<ReadonlyMap<string, Reader>>
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
      const reader = JSON.stringify({ handle, at: new Date().toISOString() } satisfies Reader)
      const answers = await ask(async () => {
        // The first keeps it: what is asked is who was there before.
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
