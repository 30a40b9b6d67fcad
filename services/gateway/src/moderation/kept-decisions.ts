import { Decision } from '@stoa/shared/contracts/moderation.js'
import { randomToken } from '@stoa/shared/identifiers/ids.js'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import type { Breakers } from '../downstream/breakers.ts'
import type { EachDecision } from '../pages/moderation/decisions.ts'

/** As long as a moderator may come back to the page, and no longer: its titles may be deleted. */
const KEPT_SECONDS = 3_600

interface Decisions {
  readonly items: readonly EachDecision[]
  /** The note that was sent, given back if some decisions failed. */
  readonly note?: string | undefined
}

/** What the page shows of each decision, without evidence. */
const Stored: z.ZodType<Decisions> = z.object({
  items: z.array(
    Decision.extend({
      error: Decision.shape.error
        .unwrap()
        .omit({ status: true, fix: true, retryable: true })
        .nullable(),
    }),
  ),
  note: z.string().optional(),
})

export interface KeptDecisions {
  /** Returns the name by which this moderator finds them again; null while Redis is away. */
  keep(agentId: string, decisions: Decisions): Promise<string | null>
  /** Null also while Redis is away, or if a gateway of another release kept them. */
  find(agentId: string, name: string): Promise<Decisions | null>
}

/**
 * What became of several alerts, kept so that the page which shows it has an address: a page that
 * answers a form itself is not shown again when the moderator goes back to it.
 */
export function createKeptDecisions(redis: Redis, breakers: Breakers): KeptDecisions {
  const ask = <T>(work: () => Promise<T>) => breakers.run('redis', work).catch(() => null)
  return {
    keep: async (agentId, decisions) => {
      const name = randomToken()
      const text = JSON.stringify(Stored.parse(decisions))
      const kept = await ask(() => redis.set(keyOf(agentId, name), text, 'EX', KEPT_SECONDS))
      return kept === null ? null : name
    },
    find: async (agentId, name) => {
      const text = await ask(() => redis.get(keyOf(agentId, name)))
      return text === null ? null : (Stored.safeParse(JSON.parse(text)).data ?? null)
    },
  }
}

function keyOf(agentId: string, name: string): string {
  return `decisions:${agentId}:${name}`
}
