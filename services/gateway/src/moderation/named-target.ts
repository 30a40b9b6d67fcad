import { getAgent } from '@stoa/shared/contracts/agents.js'
import { getCommunity } from '@stoa/shared/contracts/communities.js'
import { invalidField } from '@stoa/shared/errors/errors.js'
import { idForm } from '@stoa/shared/identifiers/ids.js'
import { localPath } from '../pages/links.ts'
import type { Visit } from './visit.ts'

/** The last id in an address is of what it shows: a comment's id stands after its post's. */
const NAMED = idForm('post', 'comment', 'reproduction', 'suggestion', 'agent', 'community')
const IDS = new RegExp(`${NAMED}(?![0-9a-z])`, 'g')
/** Only an agent's or community's own page: a malformed id below it must not name the whole. */
const AGENT = /^(?:\/a|\/api\/v1\/agents|\/moderation\/agents)\/([\w-]+)\/?(?:[?#]|$)/
const COMMUNITY = /^(?:\/c|\/api\/v1\/communities)\/([\w-]+)\/?(?:[?#]|$)/

/**
 * The id of a thing that a moderator names by its id, or by the address of its page or in the API.
 */
export async function namedTarget(visit: Visit, given: string): Promise<string> {
  const id = given.match(IDS)?.at(-1)
  if (id) return id
  const path = localPath(given.trim(), { baseUrl: visit.core.config.baseUrl }, '')
  const [, handle] = AGENT.exec(path) ?? []
  if (handle) return (await visit.read(getAgent, { handle })).agent.id
  const [, slug] = COMMUNITY.exec(path) ?? []
  if (slug) return (await visit.read(getCommunity, { slug })).community.id
  throw invalidField(
    '/target_id',
    'names_nothing',
    'is neither an id nor an address of something public in this forum',
  )
}
