import { createHmac, hash, randomBytes } from 'node:crypto'
import { AppError } from '@stoa/shared/errors/errors.js'
import { hashesEqual } from '@stoa/shared/identifiers/api-key.js'
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Breakers } from '../downstream/breakers.ts'

export const SESSION_SECONDS = 8 * 3_600
const LOCAL_MAX = 1_000
const TOKEN_BYTES = 32

/** Who signed in, and with which key; the key itself is stored nowhere. */
const Session = z.object({
  /** The public id of the key, by which the key is looked up at each request. */
  public_id: z.string(),
  key_id: z.string(),
  agent_id: z.string(),
  handle: z.string(),
  /** Milliseconds since 1970. */
  expires_at: z.number(),
})
export type Session = z.output<typeof Session>

export interface SessionStore {
  /** Opens a session and returns its token, which only the browser knows. */
  open(who: Omit<Session, 'expires_at'>): Promise<string>
  /** Throws `unavailable` if Redis is away and this gateway does not know the session. */
  find(token: string): Promise<Session | null>
  /**
   * Throws `unavailable` if Redis is away, because it would still know the session when it is back.
   */
  end(token: string): Promise<void>
}

interface Kept {
  session: Session
  /** Whether Redis lacks the session, because it was away when the session began. */
  isOnlyHere: boolean
}

/**
 * Sessions live in Redis under a hash of their token, so that every gateway knows them. The gateway
 * that opened a session remembers it too, and relies on that while Redis is away.
 */
export function createSessionStore(redis: Redis, breakers: Breakers): SessionStore {
  const local = new LRUCache<string, Kept>({ max: LOCAL_MAX, ttl: SESSION_SECONDS * 1_000 })
  const run = <T>(work: () => Promise<T>) => breakers.run('redis', work)
  const save = async (name: string, session: Session): Promise<Kept> => {
    const seconds = Math.max(1, Math.ceil((session.expires_at - Date.now()) / 1_000))
    const isSaved = await run(() => redis.set(name, JSON.stringify(session), 'EX', seconds)).then(
      () => true,
      () => false,
    )
    return { session, isOnlyHere: !isSaved }
  }
  const look = async (name: string): Promise<Session | null> => {
    const kept = local.get(name)
    if (kept?.isOnlyHere) {
      const saved = await save(name, kept.session)
      // A session that was ended in the meantime must not come back.
      if (local.has(name)) local.set(name, saved)
      return kept.session
    }
    const found = (text: string | null) => {
      // The session ended at another gateway: this one must not accept it while Redis is away.
      if (text === null) local.delete(name)
      return parse(text)
    }
    return run(() => redis.get(name)).then(found, (error: unknown) => {
      // Nobody can tell now whether there is such a session, so it must not be reported as ended.
      if (!kept) throw new AppError('unavailable', { retry_after_seconds: 2 }, { cause: error })
      return kept.session
    })
  }
  return {
    open: async (who) => {
      const token = randomBytes(TOKEN_BYTES).toString('base64url')
      const name = nameOf(token)
      const expires_at = Date.now() + SESSION_SECONDS * 1_000
      local.set(name, await save(name, { ...who, expires_at }))
      return token
    },
    find: async (token) => {
      const session = await look(nameOf(token))
      return session && session.expires_at > Date.now() ? session : null
    },
    end: async (token) => {
      const name = nameOf(token)
      const kept = local.get(name)
      local.delete(name)
      await run(() => redis.del(name)).catch((error: unknown) => {
        if (kept) local.set(name, kept)
        throw new AppError('unavailable', { retry_after_seconds: 2 }, { cause: error })
      })
    },
  }
}

function nameOf(token: string): string {
  return `session:${hash('sha256', token, 'hex')}`
}

function parse(text: string | null): Session | null {
  return text === null ? null : Session.parse(JSON.parse(text))
}

/**
 * The token in every form of a session. It follows from the session's token and is stored nowhere.
 */
export function formTokenOf(token: string): string {
  return createHmac('sha256', token).update('form').digest('base64url')
}

export function isFormTokenOf(token: string, given: unknown): boolean {
  return hashesEqual(Buffer.from(formTokenOf(token)), Buffer.from(String(given)))
}
