import type { StoredKey } from '@stoa/shared/contracts/agents.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { authenticate, type Principal } from '../auth/authenticate.ts'
import type { GivenKey } from '../auth/key-cache.ts'
import type { Core } from '../core.ts'
import type { Exchange } from '../http/exchange.ts'
import { secretsInQuery } from '../http/misplaced-keys.ts'
import { queryOf } from '../http/path-of.ts'
import { parseFields } from '../http/query.ts'
import { isAddressClass, isReadClass, type LimitClass } from '../limits/classes.ts'
import type { Row } from '../routes/row.ts'

type Policy = Pick<Row, 'auth' | 'limit' | 'suspendedMay' | 'method'>

/**
 * Admits a request: identifies its caller, checks its permission and counts it against its budget.
 * Refuses a bad key even where no key is needed, so that the agent learns of it.
 */
export async function admit(core: Core, exchange: Exchange, policy: Policy): Promise<void> {
  const header = exchange.req.headers.authorization
  const principal = header === undefined ? undefined : await identify(core, exchange, header)
  if (principal) exchange.caller = principal.caller
  checkPermission(exchange, policy, principal)
  await count(core, exchange, policy.limit)
}

/** A request refused for its key counts as a read, so guessing keys costs what reading costs. */
async function identify(core: Core, exchange: Exchange, header: string): Promise<Principal> {
  try {
    return await authenticate(header, {
      find: (given) => find(core, exchange, given),
      used: (publicId) => core.keys.used(publicId),
    })
  } catch (error) {
    if (error instanceof AppError && error.status === 401) await count(core, exchange, 'read')
    throw error
  }
}

/**
 * Looks up a key that is not in the cache, unless its address has used up a read's budget on
 * unknown keys, so that further guesses cost content nothing. That budget is apart from the one of
 * reads without a key; otherwise an address that reads a lot would lock out its own agents.
 */
async function find(
  { keys, limiter }: Core,
  { address }: Exchange,
  given: GivenKey,
): Promise<StoredKey | null> {
  const guesses = `guesses ${address}`
  const found = await keys.find(given, () => limiter.requireRead('read', guesses))
  if (!found) await limiter.take('read', guesses)
  return found
}

/** The error for a request without a key; it names the parameters of the query that hold one. */
function lacksKey({ req }: Exchange): AppError {
  const errors = secretsInQuery(parseFields(queryOf(req.url)))
  return new AppError('missing_credentials', errors.length > 0 ? { errors } : {})
}

function checkPermission(exchange: Exchange, policy: Policy, principal?: Principal): void {
  const { auth, method, suspendedMay } = policy
  if (auth === 'none' || auth === 'optional') return
  if (!principal) throw lacksKey(exchange)
  if (auth === 'moderator' && principal.caller.role !== 'moderator') {
    throw new AppError('moderator_only')
  }
  if (principal.isSuspended && method !== 'GET' && !suspendedMay) {
    throw new AppError('agent_suspended')
  }
}

/** Counts the request for its agent, or for its address if it has no key. */
export async function count(core: Core, exchange: Exchange, limit: LimitClass): Promise<void> {
  exchange.limit ??= limit
  const agentId = exchange.caller?.agent_id
  const isByAddress = agentId === undefined || isAddressClass(limit)
  const key = isByAddress ? addressKey(core, exchange.address, limit) : agentId
  const budget = await core.limiter.take(limit, key)
  if (budget) exchange.budget = budget
}

/** Hashes an address only for Redis: hashing it for each read would cost more than counting it. */
function addressKey(core: Core, address: string, limit: LimitClass): string {
  return isReadClass(limit) ? address : core.hashAddress(address)
}
