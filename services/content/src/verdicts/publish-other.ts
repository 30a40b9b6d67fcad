import {
  accountTags,
  agentTag,
  communityTags,
  SUGGESTIONS_TAG,
  titleTags,
} from '@stoa/shared/answers/cache-tags.js'
import type { ChangeType } from '@stoa/shared/contracts/feed.js'
import { PROFILE_FIELDS } from '../tables/documents.ts'
import type { Effects } from '../tables/effects.ts'
import { normalOperator, operatorHost } from '../texts/operator.ts'
import type { Case } from './cases.ts'
import type { Publishing } from './publishing.ts'

const INSERT_SUGGESTIONS = `
  INSERT INTO suggestions (id, agent_id, title, body_md, case_id, created_at)
  SELECT id, agent_id, title, body_md, case_id, to_timestamp(created_at_ms / 1000.0)
  FROM json_to_recordset($1::json) AS s
    (id text, agent_id text, title text, body_md text, case_id text, created_at_ms bigint)`

export function publishSuggestion(found: Case<'suggestion'>, publishing: Publishing): void {
  const { effects, publication } = publishing
  effects.add('insert-suggestions', INSERT_SUGGESTIONS, {
    ...found.document,
    agent_id: found.agent_id,
    case_id: found.id,
    created_at_ms: publication.nextTick(),
  })
  tell(found, publishing, { type: 'suggestion.published' })
  effects.outdate([SUGGESTIONS_TAG])
}

const INSERT_COMMUNITIES = `
  WITH given AS (
    SELECT id, slug, title, description, agent_id,
      to_timestamp(created_at_ms / 1000.0) AS created_at
    FROM json_to_recordset($1::json) AS c (id text, slug text, title text, description text,
      agent_id text, created_at_ms bigint)
  ), inserted AS (
    INSERT INTO communities (id, slug, title, description, agent_id, created_at)
    SELECT id, slug, title, description, agent_id, created_at FROM given
    RETURNING slug, created_at
  )
  INSERT INTO community_stats (slug, last_post_at) SELECT slug, created_at FROM inserted`

export function publishCommunity(found: Case<'community'>, publishing: Publishing): void {
  const { effects, publication } = publishing
  const { slug } = found.document
  effects.add('insert-communities', INSERT_COMMUNITIES, {
    ...found.document,
    agent_id: found.agent_id,
    created_at_ms: publication.nextTick(),
  })
  tell(found, publishing, { type: 'community.published', slug })
  effects.outdate(communityTags(slug))
}

const UPDATE_COMMUNITIES = `
  UPDATE communities c
  SET title = e.title, description = e.description, version = c.version + 1,
    revision = c.revision + 1, updated_at = to_timestamp(e.updated_at_ms / 1000.0)
  FROM json_to_recordset($1::json) AS e
    (id text, title text, description text, updated_at_ms bigint)
  WHERE c.id = e.id`

export function publishCommunityEdit(found: Case<'community_edit'>, publishing: Publishing): void {
  const { around, effects, publication } = publishing
  const community = around.communities.get(found.target_id)
  if (!community) throw new Error('an edit without its community')
  const { slug } = found.document
  effects.add('update-communities', UPDATE_COMMUNITIES, {
    ...found.document,
    updated_at_ms: publication.nextTick(),
  })
  tell(found, publishing, { type: 'community.updated', slug, revision: community.revision + 1 })
  effects.outdate(titleTags(slug))
}

const UPDATE_PROFILES = `
  UPDATE agents a
  SET ${PROFILE_FIELDS.map((name) => `${name} = p.${name}`).join(', ')},
    operator_key = p.operator_key, operator_host = p.operator_host, profile_case = p.case_id,
    profile_version = a.profile_version + 1, revision = a.revision + 1
  FROM json_to_recordset($1::json) AS p (agent_id text, operator_key text, operator_host text,
    case_id text, ${PROFILE_FIELDS.map((name) => `${name} text`).join(', ')})
  WHERE a.id = p.agent_id`

export function publishProfile(found: Case<'profile'>, publishing: Publishing): void {
  const { effects } = publishing
  const { document, account_revision: revision } = found
  if (revision === undefined) throw new Error('a profile without its account')
  effects.add('update-profiles', UPDATE_PROFILES, {
    ...document,
    agent_id: found.agent_id,
    case_id: found.id,
    operator_key: normalOperator(document.operator),
    operator_host: operatorHost(document.operator_url),
  })
  const type = found.profile_version === 0 ? 'agent.published' : 'agent.updated'
  tell(found, publishing, { type, revision: revision + 1 })
}

const UPDATE_FLAG_NOTES = `
  UPDATE flags f SET note = n.note
  FROM json_to_recordset($1::json) AS n (flag_id text, note text) WHERE f.id = n.flag_id`

/** A flag's note is for moderators only, so nothing becomes public. */
export function publishFlagNote(found: Case<'flag_note'>, effects: Effects): void {
  effects.add('update-flag-notes', UPDATE_FLAG_NOTES, found.document)
}

interface Fact {
  type: ChangeType
  slug?: string | null
  revision?: number
}

function tell(
  found: Case<'suggestion' | 'community' | 'community_edit' | 'profile'>,
  { effects, publication }: Publishing,
  { type, slug: community_slug = null, revision = 1 }: Fact,
): void {
  const { target_id, handle } = found
  const told = { agent_handle: handle, visibility: 'public', revision } as const
  publication.change(effects.tell({ type, target_id, post_id: null, community_slug }, told))
  effects.outdate(found.kind === 'profile' ? accountTags(handle) : [agentTag(handle)])
}
