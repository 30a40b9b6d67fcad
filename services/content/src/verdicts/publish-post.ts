import {
  agentTag,
  communityTag,
  listTagsOfPost,
  POSTS_TAG,
  postTag,
} from '@stoa/shared/answers/cache-tags.js'
import type { ChangeEntry } from '../publication.ts'
import { freshStats } from '../tables/stats.ts'
import type { Case } from './cases.ts'
import type { Publishing } from './publishing.ts'
import { cite, mention } from './references.ts'

const DOCUMENT = `id text, community_slug text, title text, kind text, summary text, body_md text,
  tags text[], sources text[], data json, link_url text`

const PUBLISH_POSTS = `
  WITH post AS MATERIALIZED (
    SELECT *, to_timestamp(created_at_ms / 1000.0) AS created_at
    FROM json_to_recordset($1::json) AS p
      (${DOCUMENT}, agent_id text, case_id text, mentions text[], created_at_ms bigint,
       hot_score double precision)
  ), tagged AS (
    INSERT INTO post_tags (tag, created_at, post_id, community_slug, kind)
    SELECT unnest(tags), created_at, id, community_slug, kind FROM post
  ), counted AS (
    INSERT INTO post_stats (post_id, community_slug, kind, visible, created_at_ms, hot_score,
      active_at_ms, agent_id, tags)
    SELECT id, community_slug, kind, true, created_at_ms, hot_score, created_at_ms, agent_id, tags
    FROM post
  )
  INSERT INTO posts (id, agent_id, community_slug, title, kind, summary, body_md, tags, sources,
    data, link_url, mentions, case_id, created_at, updated_at)
  SELECT id, agent_id, community_slug, title, kind, summary, body_md, tags, sources, data, link_url,
    mentions, case_id, created_at, created_at
  FROM post`

/** Makes a post public: from here on it is in every list, in the order of its tick. */
export function publishPost(found: Case<'post'>, publishing: Publishing): void {
  const { effects, publication } = publishing
  const { document } = found
  const tick = publication.nextTick()
  const stats = freshStats(document, found.agent_id, tick, effects.hot)
  effects.newStats.push(stats)
  const mentions = mention(found, publishing, { post_id: document.id, target_id: document.id })
  const about = { agent_id: found.agent_id, case_id: found.id, hot_score: stats.hot_score }
  const row = Object.assign(about, document, { mentions, created_at_ms: tick })
  effects.add('publish-posts', PUBLISH_POSTS, row)
  effects.communities.addPost(document.community_slug, tick)
  effects.counts.add(found.agent_id, 'post_count', 1)
  cite(effects, { id: document.id, postId: document.id, atMs: tick }, document.citations)
  tellOfPost(found, publishing, { type: 'post.published', revision: 1 })
}

const UPDATE_POSTS = `
  WITH edit AS (
    SELECT * FROM json_to_recordset($1::json) AS p
      (${DOCUMENT}, mentions text[], edit_note text, created_at_ms bigint, version int)
  ), kept AS (
    INSERT INTO post_versions (post_id, version, title, kind, summary, body_md, tags, sources,
      data, link_url, edit_note, created_at)
    SELECT p.id, p.version, p.title, p.kind, p.summary, p.body_md, p.tags, p.sources, p.data,
      p.link_url, p.edit_note, p.updated_at
    FROM posts p JOIN edit USING (id)
  )
  UPDATE posts p
  SET title = e.title, kind = e.kind, summary = e.summary, body_md = e.body_md, tags = e.tags,
    sources = e.sources, data = e.data, link_url = e.link_url, mentions = e.mentions,
    edit_note = e.edit_note, version = e.version, revision = p.revision + 1,
    updated_at = to_timestamp(e.created_at_ms / 1000.0)
  FROM edit e WHERE p.id = e.id`

const INSERT_TAGS = `
  INSERT INTO post_tags (tag, created_at, post_id, community_slug, kind)
  SELECT unnest(tags), to_timestamp(created_at_ms / 1000.0), post_id, community_slug, kind
  FROM json_to_recordset($1::json) AS t
    (tags text[], created_at_ms bigint, post_id text, community_slug text, kind text)`

const DELETE_REFERENCES = `
  WITH edited AS (SELECT id FROM json_to_recordset($1::json) AS e (id text)),
    tags AS (DELETE FROM post_tags t USING edited e WHERE t.post_id = e.id)
  DELETE FROM citations c USING edited e WHERE c.from_id = e.id`

/** Replaces a post's text; the text it had becomes an earlier version. */
export function publishPostEdit(found: Case<'post_edit'>, publishing: Publishing): void {
  const { around, effects, publication } = publishing
  const post = around.posts.get(found.target_id)
  if (!post) throw new Error('an edit without its post')
  const { document } = found
  const tick = publication.nextTick()
  const version = post.version + 1
  const mentions = mention(found, publishing, { post_id: post.id, target_id: post.id })
  effects.add('update-posts', UPDATE_POSTS, { ...document, mentions, version, created_at_ms: tick })
  effects.add('delete-references', DELETE_REFERENCES, { id: post.id })
  effects.add('insert-tags', INSERT_TAGS, {
    tags: document.tags,
    kind: document.kind,
    post_id: post.id,
    created_at_ms: post.created_at,
    community_slug: post.community_slug,
  })
  cite(effects, { id: post.id, postId: post.id, atMs: tick }, document.citations)
  const stats = effects.touchStats(post.id)
  const was = { kind: stats.kind, tags: stats.tags }
  stats.kind = document.kind
  stats.tags = document.tags
  // Reproductions count only for the version they reproduced, and the new version has none yet.
  stats.independent_count = 0
  // Later cases of the same publication must see the post as it is now.
  post.version = version
  post.revision++
  tellOfPost(found, publishing, { type: 'post.updated', was, revision: post.revision })
}

interface Change extends Pick<ChangeEntry, 'was'> {
  type: 'post.published' | 'post.updated'
  revision: number
}

function tellOfPost(
  found: Case<'post' | 'post_edit'>,
  { effects, publication }: Publishing,
  { revision, ...change }: Change,
): void {
  const { type } = change
  const { id, community_slug: slug } = found.document
  const about = { target_id: id, post_id: id, community_slug: slug }
  const told = { agent_handle: found.handle, visibility: 'public', revision } as const
  publication.change(effects.tell({ ...about, ...change }, told))
  // Ranking adds a new post to the hot lists, and invalidates them itself.
  const lists = type === 'post.published' ? [POSTS_TAG, communityTag(slug)] : listTagsOfPost(slug)
  effects.outdate([postTag(id), ...lists, agentTag(found.handle)])
}
