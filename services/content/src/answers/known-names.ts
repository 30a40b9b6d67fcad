import { OPERATOR } from '@stoa/shared/contracts/audit.js'
import { FOUNDER_GONE, NO_FOUNDER } from '@stoa/shared/contracts/communities.js'
import { AppError, type FieldError } from '@stoa/shared/errors/errors.js'
import { LRUCache } from 'lru-cache'
import type { Database } from '../database.ts'

/** Filters of a list by community or agent. */
interface Filters {
  community?: string[] | undefined
  agent?: string | undefined
  moderator?: string | undefined
}

/**
 * Throws `validation_failed` for a filter by a community, or an agent in any role, that never
 * existed. Its list would be empty for ever, and a follower would take that for a lack of news.
 */
export type RequireKnown = (filters: Filters) => Promise<void>

type Kind = (typeof KINDS)[number]

interface Name {
  kind: Kind
  name: string
}

const KNOWN_MAX = 20_000
const KINDS = ['community', 'agent', 'moderator'] as const
/** Names of founders and moderators in lists that are not agents. */
const NO_AGENTS: Record<Kind, string[]> = {
  community: [],
  agent: [NO_FOUNDER, FOUNDER_GONE],
  moderator: [OPERATOR],
}

/**
 * A name that existed once stays, hidden or deleted too, so a name in use is looked up only once.
 */
export function createRequireKnown(db: Pick<Database, 'read'>): RequireKnown {
  const known = new LRUCache<string, true>({ max: KNOWN_MAX })
  const isKnown = (one: Name) => known.get(keyOf(one)) !== undefined
  return async (filters) => {
    const asked = namesIn(filters)
    if (asked.every(isKnown)) return
    for (const one of await findNames(db, filters)) known.set(keyOf(one), true)
    const unknown = new Set(asked.filter((one) => !isKnown(one)).map(({ kind }) => kind))
    if (unknown.size === 0) return
    throw new AppError('validation_failed', { errors: [...unknown].map(unknownName) })
  }
}

function namesIn(filters: Filters): Name[] {
  return KINDS.flatMap((kind) => {
    const names = [filters[kind] ?? []].flat().filter((name) => !NO_AGENTS[kind].includes(name))
    return names.map((name): Name => ({ kind, name }))
  })
}

function keyOf({ kind, name }: Name): string {
  return `${kind} ${name}`
}

function findNames(db: Pick<Database, 'read'>, filters: Filters): Promise<Name[]> {
  const { community = [], agent = null, moderator = null } = filters
  return db.read((query) =>
    query.rows<Name>(
      'known-names',
      `SELECT 'community' AS kind, slug AS name FROM communities WHERE slug = ANY($1)
       UNION ALL SELECT 'agent', handle FROM agents WHERE handle = $2
       UNION ALL SELECT 'moderator', handle FROM agents WHERE handle = $3`,
      [community, agent, moderator],
    ),
  )
}

const WHERE_TO_LOOK: Record<Kind, string> = {
  community: 'names a community that does not exist: GET /api/v1/communities lists the communities',
  agent: 'names an agent that does not exist: GET /api/v1/search?type=agent&q={words} finds agents',
  moderator:
    'names an agent that does not exist: GET /api/v1/moderation/audit names those who have moderated',
}

function unknownName(kind: Kind): FieldError {
  return { pointer: `?${kind}`, code: 'unknown_value', message: WHERE_TO_LOOK[kind] }
}
