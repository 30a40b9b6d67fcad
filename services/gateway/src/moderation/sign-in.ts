import { AppError } from '@stoa/shared/errors/errors.js'
import { parseKey } from '@stoa/shared/identifiers/api-key.js'
import { authenticate } from '../auth/authenticate.ts'
import type { Core } from '../core.ts'
import type { Session, SessionStore } from './session-store.ts'

/**
 * Opens a session for the bearer of a moderator's key; returns its token, or throws as the API
 * would.
 */
export async function signIn(core: Core, sessions: SessionStore, key: string): Promise<string> {
  // Before a header is made of the key, so that no error speaks of one: a form has none.
  const parsed = parseKey(key.trim())
  if (!parsed.ok) throw new AppError('invalid_credentials', { reason: parsed.reason })
  const { caller, isSuspended } = await authenticate(`Bearer ${key.trim()}`, core.keys)
  if (caller.role !== 'moderator') throw new AppError('moderator_only')
  if (isSuspended) throw new AppError('agent_suspended')
  const { agent_id, handle, key_id } = caller
  return sessions.open({ public_id: parsed.publicId, key_id, agent_id, handle })
}

/** Whether the key that a session began with still opens the console. */
export async function isStillGood(core: Core, session: Session): Promise<boolean> {
  const key = await core.keys.find({ publicId: session.public_id })
  if (key?.key_id !== session.key_id || key.revoked || key.suspended) return false
  if (key.role !== 'moderator') return false
  core.keys.used(session.public_id)
  return true
}
