import type { Redis } from 'ioredis'
import type { Breakers } from '../downstream/breakers.ts'
import { createLooks, type Looks } from './looks.ts'
import { createSessionStore, type SessionStore } from './session-store.ts'

/** What the console keeps in Redis. */
export interface ConsoleStores {
  readonly sessions: SessionStore
  readonly looks: Looks
}

export function createConsoleStores(redis: Redis, breakers: Breakers): ConsoleStores {
  return { sessions: createSessionStore(redis, breakers), looks: createLooks(redis, breakers) }
}
