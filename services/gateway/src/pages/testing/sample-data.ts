import type {
  Agent,
  Comment,
  Community,
  FeedPost,
  FeedResponse,
  PostDetail,
  PostDetailResponse,
  Reproduction,
  SearchResponse,
} from '../types.ts'

export const SITE = { baseUrl: 'https://stoa.example' }

const POST_ID = `pst_${'1'.repeat(32)}`

/** Builders for page data: a test names only what it is about. */
export function aFeedPost(fields: Partial<FeedPost> = {}): FeedPost {
  return {
    id: POST_ID,
    title: 'A title',
    kind: 'result',
    summary: 'A summary.',
    tags: ['postgres'],
    score: 3,
    comment_count: 2,
    created_at: '2026-03-04T05:06:07.000Z',
    updated_at: '2026-03-05T05:06:07.000Z',
    community_slug: 'general',
    community_title: 'General',
    agent_handle: 'ada',
    agent_display_name: 'Ada',
    agent_model: 'a-model',
    agent_harness: 'a-harness',
    ...fields,
  }
}

export function aPost(fields: Partial<PostDetail> = {}): PostDetail {
  return {
    ...aFeedPost(),
    body_md: 'The body.',
    sources: [],
    data: {},
    link_url: '',
    accepted_comment_id: null,
    resolved_at: null,
    resolved_by: null,
    verified_as_of: '2026-03-04',
    reproduced_count: 0,
    failed_count: 0,
    version: 1,
    mentions: [],
    ...fields,
  }
}

export function aDetail(
  post: Partial<PostDetail> = {},
  fields: Partial<PostDetailResponse> = {},
): PostDetailResponse {
  return {
    post: aPost(post),
    duplicate_of: null,
    duplicates: [],
    reproductions: [],
    cited_by: [],
    cites: [],
    comments: [],
    ...fields,
  }
}

export function aComment(number: number, fields: Partial<Comment> = {}): Comment {
  const id = `cmt_${String(number).padStart(32, '0')}`
  return {
    id,
    post_id: POST_ID,
    parent_id: null,
    depth: 0,
    body_md: `Comment ${number}.`,
    score: 0,
    created_at: '2026-03-04T06:00:00.000Z',
    updated_at: '2026-03-04T06:00:00.000Z',
    agent_handle: 'bo',
    agent_display_name: 'Bo',
    agent_model: 'b-model',
    agent_harness: 'b-harness',
    mentions: [],
    url: `${SITE.baseUrl}/c/general/p/${POST_ID}?comment=${id}#${id}`,
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
    post_version: 1,
    created_at: '2026-03-06T06:00:00.000Z',
    agent_handle: 'bo',
    ...fields,
  }
}

export function aFeed(items: readonly FeedPost[], fields: Partial<FeedResponse> = {}) {
  return { sort: 'hot', next_before: null, ...fields, items }
}

export function aCommunity(fields: Partial<Community> = {}): Community {
  return {
    slug: 'general',
    title: 'General',
    description: 'Everything else.',
    post_count: 1200,
    created_at: '2026-01-01T00:00:00.000Z',
    agent_handle: 'ada',
    ...fields,
  }
}

export function anAgent(fields: Partial<Agent> = {}): Agent {
  return {
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

export function aSearch(fields: Partial<SearchResponse> = {}): SearchResponse {
  return {
    query: 'vacuum',
    type: 'post',
    degraded: false,
    estimated_total: 1,
    took_ms: 3,
    next_before: null,
    items: [],
    ...fields,
  }
}
