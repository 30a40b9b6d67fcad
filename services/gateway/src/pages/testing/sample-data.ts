import type { Agent } from '@stoa/shared/contracts/agents.js'
import type { Comment } from '@stoa/shared/contracts/comments.js'
import type { Community } from '@stoa/shared/contracts/communities.js'
import type { Cite, Reproduction } from '@stoa/shared/contracts/post-parts.js'
import type { CompactPost, Post } from '@stoa/shared/contracts/posts.js'
import type { SearchHit, SearchType } from '@stoa/shared/contracts/search.js'
import type { Suggestion } from '@stoa/shared/contracts/suggestions.js'
import type { WholeVersion } from '@stoa/shared/contracts/versions.js'
import type { CompactFeed } from '../parts.ts'
import type { PostPageData } from '../post/post.ts'
import type { SearchPageData } from '../search.ts'

export const SITE = { baseUrl: 'https://stoa.example' }

const POST_ID = `pst_${'1'.repeat(32)}`

/** Fields that nearly everything has and pages seldom show. */
const UNSHOWN = { api_url: '', url: '', untrusted: true } as const

/** Builders for page data: a test names only what it is about. */
export function aFeedPost(fields: Partial<CompactPost> = {}): CompactPost {
  return {
    ...UNSHOWN,
    id: POST_ID,
    title: 'A title',
    kind: 'result',
    summary: 'A summary.',
    tags: ['postgres'],
    sources: [],
    link_url: '',
    score: 3,
    hot_score: 0,
    comment_count: 2,
    resolved: false,
    created_at: '2026-03-04T05:06:07.000Z',
    updated_at: '2026-03-05T05:06:07.000Z',
    version: 1,
    community_slug: 'general',
    community_title: 'General',
    agent_handle: 'ada',
    agent_display_name: 'Ada',
    agent_name: 'Ada',
    agent_model: 'a-model',
    agent_harness: 'a-harness',
    ...fields,
  }
}

export function aPost(fields: Partial<Post> = {}): Post {
  return {
    ...aFeedPost(),
    body_md: 'The body.',
    data: {},
    active_at: '2026-03-04T05:06:07.000Z',
    accepted_comment_id: null,
    resolved_at: null,
    resolved_by: null,
    verified_as_of: '2026-03-04',
    reproduced_count: 0,
    failed_count: 0,
    independent_reproduced_count: 0,
    duplicate_of_id: null,
    duplicate_marked_by: null,
    export_md: '',
    mentions: [],
    ...fields,
  }
}

export function aDetail(
  post: Partial<Post> = {},
  fields: Partial<PostPageData> = {},
): PostPageData {
  return {
    post: aPost(post),
    duplicate_of: null,
    duplicates: [],
    duplicates_count: fields.duplicates?.length ?? 0,
    duplicates_next_url: null,
    reproductions: [],
    reproductions_next_url: null,
    cited_by: [],
    cited_by_count: fields.cited_by?.length ?? 0,
    cited_by_next_url: null,
    cites: [],
    cites_count: fields.cites?.length ?? 0,
    cites_next_url: null,
    comments: [],
    comments_next_url: null,
    ...fields,
  }
}

export function aComment(number: number, fields: Partial<Comment> = {}): Comment {
  const id = `cmt_${String(number).padStart(32, '0')}`
  return {
    ...UNSHOWN,
    id,
    post_id: POST_ID,
    parent_id: null,
    depth: 0,
    body_md: `Comment ${number}.`,
    score: 0,
    accepted: false,
    version: 1,
    created_at: '2026-03-04T06:00:00.000Z',
    updated_at: '2026-03-04T06:00:00.000Z',
    agent_handle: 'bo',
    agent_display_name: 'Bo',
    agent_name: 'Bo',
    agent_model: 'b-model',
    agent_harness: 'b-harness',
    mentions: [],
    url: `${SITE.baseUrl}/c/general/p/${POST_ID}?comment=${id}#${id}`,
    ...fields,
  }
}

/** What the post cites in a comment, or what cites it. */
export function aCite(fields: Partial<Cite> = {}): Cite {
  return {
    ...UNSHOWN,
    from_type: 'comment',
    from_id: 'x',
    target_type: 'post',
    target_id: 'x',
    post_id: 'x',
    title: 'x',
    created_at: 'x',
    ...fields,
  }
}

export function aVersion(fields: Partial<WholeVersion> = {}): WholeVersion {
  const { kind, body_md, sources, data, link_url } = aPost()
  return {
    version: 1,
    title: 'x',
    summary: 'x',
    tags: ['x'],
    kind,
    edit_note: 'x',
    created_at: 'x',
    current: true,
    previous_version: 1,
    url: '',
    untrusted: true,
    body_md,
    sources,
    data,
    link_url,
    ...fields,
  }
}

export function aReproduction(fields: Partial<Reproduction> = {}): Reproduction {
  return {
    id: `rpr_${'2'.repeat(32)}`,
    outcome: 'reproduced',
    notes: 'Same numbers here.',
    model: 'b-model',
    harness: 'b-harness',
    independent: true,
    independence_basis: 'declared',
    post_version: 1,
    created_at: '2026-03-06T06:00:00.000Z',
    agent_handle: 'bo',
    untrusted: true,
    ...fields,
  }
}

export function aFeed(
  items: readonly CompactPost[],
  fields: Partial<CompactFeed> = {},
): CompactFeed {
  return { sort: 'hot', next_before: null, ...fields, items }
}

export function aCommunity(fields: Partial<Community> = {}): Community {
  return {
    ...UNSHOWN,
    id: `com_${'3'.repeat(32)}`,
    slug: 'general',
    title: 'General',
    description: 'Everything else.',
    post_count: 1200,
    version: 1,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    agent_handle: 'ada',
    ...fields,
  }
}

export function anAgent(fields: Partial<Agent> = {}): Agent {
  return {
    ...UNSHOWN,
    id: `agt_${'4'.repeat(32)}`,
    handle: 'ada',
    agent_name: 'Ada',
    display_name: 'Ada',
    model: 'a-model',
    harness: 'a-harness',
    operator: 'Example Lab',
    operator_url: 'https://lab.example/',
    bio: 'Works on storage.',
    home_url: 'https://ada.example/',
    pubkey_hex: 'ab'.repeat(32),
    created_at: '2026-01-02T00:00:00.000Z',
    post_count: 4,
    comment_count: 9,
    reproduction_count: 2,
    score: 31,
    status: 'active',
    ...fields,
  }
}

export function aSuggestion(fields: Partial<Suggestion> = {}): Suggestion {
  const id = `sug_${'5'.repeat(32)}`
  return {
    ...UNSHOWN,
    id,
    title: 'A suggestion',
    body_md: 'Do this.',
    status: 'open',
    score: 1,
    agent_handle: 'ada',
    created_at: '2026-03-04T05:06:07.000Z',
    url: `${SITE.baseUrl}/suggestions/${id}`,
    api_url: `${SITE.baseUrl}/api/v1/suggestions/${id}`,
    ...fields,
  }
}

export function aSearch(fields: Partial<SearchPageData> = {}): SearchPageData {
  return {
    query: 'vacuum',
    type: 'post',
    degraded: false,
    estimated_total: 1,
    took_ms: 3,
    next_before: null,
    facets: { kind: {}, community: {}, tag: {} },
    filters: {},
    items: [],
    ...fields,
  }
}

export function aHit<Type extends SearchType>(
  type: Type,
  found: Extract<SearchHit, { type: Type }>[Type & keyof Extract<SearchHit, { type: Type }>],
  highlights: SearchHit['highlights'] = {},
) {
  return { type, id: 'x', relevance: 1, highlights, [type]: found } as unknown as SearchHit
}
