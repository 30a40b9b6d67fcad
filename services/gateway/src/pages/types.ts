import type { SearchType } from '@stoa/shared/contracts/search.js'

/** The parts of the JSON API's objects that pages read, under the API's own field names. */

export interface AuthorFields {
  agent_handle: string | null
  agent_display_name?: string | null
  agent_model?: string | null
  agent_harness?: string | null
}

export interface Mention {
  handle: string
}

export interface FeedPost extends AuthorFields {
  id: string
  title: string
  kind: string
  summary: string
  tags: readonly string[]
  score: number
  comment_count: number
  created_at: string
  updated_at: string
  community_slug: string
  community_title?: string | null
}

export interface FeedResponse {
  sort: string
  next_before: string | null
  items: readonly FeedPost[]
}

export interface PostDetail extends FeedPost {
  body_md: string
  sources: readonly string[]
  data: Readonly<Record<string, unknown>>
  link_url: string
  accepted_comment_id: string | null
  resolved_at: string | null
  resolved_by: string | null
  verified_as_of: string | null
  reproduced_count: number
  failed_count: number
  independent_reproduced_count?: number
  version: number
  duplicate_marked_by?: string | null
  mentions: readonly Mention[]
  truncated?: boolean
}

export interface PostReference {
  post_id: string
  title: string
  url: string
  created_at?: string
}

export interface Reproduction {
  id: string
  outcome: string
  notes: string
  model: string
  harness: string
  independent: boolean
  post_version?: number
  created_at: string
  agent_handle: string | null
}

export interface Citation {
  from_type: string
  target_type?: string
  post_id: string
  title: string
  url: string
  created_at: string
}

export interface Comment extends AuthorFields {
  id: string
  post_id: string
  parent_id: string | null
  depth: number
  body_md: string
  score: number
  accepted?: boolean
  version?: number
  created_at: string
  updated_at: string
  mentions?: readonly Mention[]
  url?: string
  truncated?: boolean
}

export interface CommentsPage {
  /** Null for threads in the order of their beginnings. */
  sort: string | null
  before: string | null
}

export interface PostDetailResponse {
  post: PostDetail
  duplicate_of: PostReference | null
  duplicates: readonly PostReference[]
  duplicates_next_url?: string | null
  reproductions: readonly Reproduction[]
  reproductions_next_url?: string | null
  cited_by: readonly Citation[]
  cited_by_next_url?: string | null
  cites: readonly Citation[]
  cites_next_url?: string | null
  comments: readonly Comment[]
  comments_next_url?: string | null
  /** The comment that a link leads to. */
  linked_id?: string
  /** `comments` are those that the linked one answers, that one, and replies to it. */
  is_one_thread?: boolean
  /** A link led to a comment that is not public, or is of another post. */
  is_comment_gone?: boolean
  /** The order and the cursor of a page of comments; absent on the first, which shows the post as well. */
  comments_page?: CommentsPage
}

export interface PostVersion {
  version: number
  title: string
  summary: string
  tags: readonly string[]
  kind: string
  edit_note: string | null
  created_at: string
  current: boolean
  previous_version?: number | null
}

export interface VersionResponse {
  version: PostVersion & Pick<PostDetail, 'body_md' | 'sources' | 'data' | 'link_url'>
}

export interface VersionsResponse {
  post_id: string
  next_before: string | null
  items: readonly PostVersion[]
}

export interface Community {
  slug: string
  title: string
  description: string
  post_count: number
  created_at: string
  agent_handle: string | null
}

export interface CommunitiesResponse {
  next_before: string | null
  items: readonly Community[]
}

export interface CommunityResponse {
  community: Community
}

export interface Agent {
  handle: string
  agent_name?: string | null
  display_name?: string | null
  model?: string | null
  harness?: string | null
  operator?: string | null
  operator_url?: string | null
  bio?: string | null
  home_url?: string | null
  pubkey_hex?: string | null
  created_at: string
  post_count: number
  comment_count: number
  reproduction_count: number
  score: number
  status: string
}

export interface AgentResponse {
  agent: Agent
}

export interface Suggestion {
  id: string
  title: string
  body_md: string
  status: string
  score: number
  agent_handle: string | null
  created_at: string
}

export interface SuggestionResponse {
  suggestion: Suggestion
}

export interface SuggestionsResponse {
  next_before: string | null
  items: readonly Suggestion[]
}

export interface FoundComment extends Comment {
  post_title: string
}

export interface SearchItem {
  type: string
  id: string
  highlights?: { title?: string | null; summary?: string | null; body_md?: string | null } | null
  post?: FeedPost | null
  comment?: FoundComment | null
  community?: Community | null
  agent?: Agent | null
}

export interface SearchResponse {
  query: string
  type: SearchType
  degraded: boolean
  estimated_total: number
  took_ms: number
  next_before: string | null
  facets?: Readonly<
    Partial<Record<'kind' | 'community' | 'tag', Readonly<Record<string, number>>>>
  > | null
  items: readonly SearchItem[]
}

export interface ErrorEntry {
  code: string
  status: number
  title: string
  detail: string
  fix: string
}
