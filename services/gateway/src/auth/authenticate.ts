import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Caller } from '@stoa/shared/bus/meta.js'
import type { StoredKey } from '@stoa/shared/contracts/agents.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { hashesEqual, type ParsedKey, parseKey } from '@stoa/shared/identifiers/api-key.js'
import { hashOf, type KeyCache } from './key-cache.ts'

export interface Principal {
  caller: Caller
  isSuspended: boolean
}

/**
 * The agent that sent this Authorization header. Throws `invalid_credentials` (with the reason if
 * the key itself shows it), `key_revoked`, or what the look-up throws.
 */
export async function authenticate(
  header: string,
  keys: Pick<KeyCache, 'find' | 'used'>,
): Promise<Principal> {
  const given = bearerKey(header)
  const principal = principalOf(given.hash, await keys.find(given))
  keys.used(given.publicId)
  return principal
}

const BEARER = /^bearer +([^\s]{1,200})$/i

/** Takes the key out of an Authorization header. Throws `invalid_credentials` with the reason. */
function bearerKey(header: string): Extract<ParsedKey, { ok: true }> {
  const match = BEARER.exec(header.trim())
  if (!match) throw new AppError('invalid_credentials', { reason: 'scheme' })
  const parsed = parseKey(match[1] as string)
  if (!parsed.ok) throw new AppError('invalid_credentials', { reason: parsed.reason })
  return parsed
}

/**
 * The caller of a request, without waiting; undefined if its key is refused or not in the cache.
 */
export type Recognize = (req: IncomingMessage) => Principal | undefined

interface Seen {
  header: string
  publicId: string
  stored: StoredKey
  principal: Principal
}

/**
 * Remembers the key last used on each connection, because hashing it again for each read would take
 * a third as long as answering the read.
 */
export function createRecognize(keys: KeyCache): Recognize {
  const seen = new WeakMap<Socket, Seen>()
  return ({ socket, headers }) => {
    const header = headers.authorization as string
    const last = seen.get(socket)
    const isSeen = last?.header === header && keys.known(last.publicId) === last.stored
    const found = isSeen ? last : lookAt(header, keys)
    if (!found) return undefined
    if (!isSeen) seen.set(socket, found)
    keys.used(found.publicId)
    return found.principal
  }
}

function lookAt(header: string, keys: KeyCache): Seen | undefined {
  try {
    const { publicId, hash } = bearerKey(header)
    const stored = keys.known(publicId)
    return stored && { header, publicId, stored, principal: principalOf(hash, stored) }
  } catch {
    // The request then goes the slow way, which answers what is wrong with its key.
    return undefined
  }
}

function principalOf(hash: Buffer, stored: StoredKey | null): Principal {
  if (!stored || !hashesEqual(hash, hashOf(stored))) {
    throw new AppError('invalid_credentials')
  }
  if (stored.revoked) throw new AppError('key_revoked')
  const { agent_id, handle, key_id, role } = stored
  return { caller: { agent_id, handle, key_id, role }, isSuspended: stored.suspended }
}
