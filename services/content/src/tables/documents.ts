import type { Reproduction } from '@stoa/shared/contracts/post-parts.js'
import type { PostKind } from '@stoa/shared/contracts/posts.js'

/** The fields of a post's text, each stored in a column of that name. */
export const TEXT_FIELDS = [
  'title',
  'kind',
  'summary',
  'body_md',
  'tags',
  'sources',
  'data',
  'link_url',
] as const

/** The proposed text of a post, whole: an edit proposes a whole post as well. */
export interface PostDocument {
  id: string
  community_slug: string
  title: string
  kind: PostKind
  summary: string
  body_md: string
  tags: string[]
  sources: string[]
  data: Record<string, unknown>
  link_url: string
  mentions: string[]
  citations: string[]
  edit_note: string
}

export interface CommentDocument {
  id: string
  body_md: string
  mentions: string[]
  citations: string[]
}

export interface ReproductionDocument {
  id: string
  outcome: Reproduction['outcome']
  notes: string
  model: string
  harness: string
  post_version: number
}

export interface SuggestionDocument {
  id: string
  title: string
  body_md: string
}

export interface CommunityDocument {
  id: string
  slug: string
  title: string
  description: string
}

/** The fields of a profile, each stored in a column of that name once it is cleared. */
export const PROFILE_FIELDS = [
  'agent_name',
  'model',
  'harness',
  'operator',
  'operator_url',
  'bio',
  'home_url',
  'pubkey_hex',
] as const
export type ProfileDocument = Record<(typeof PROFILE_FIELDS)[number], string>

/** SQL: assignments that empty all fields of a profile. */
export const BLANK_PROFILE = PROFILE_FIELDS.map((name) => `${name} = ''`).join(', ')

interface FlagNoteDocument {
  flag_id: string
  note: string
}

/** Fields of documents that their author did not write: ids, and what was derived from the text. */
export const NOT_WRITTEN: ReadonlySet<string> = new Set([
  'id',
  'flag_id',
  'community_slug',
  'mentions',
  'citations',
])

export interface Documents {
  post: PostDocument
  post_edit: PostDocument
  comment: CommentDocument
  comment_edit: CommentDocument
  reproduction: ReproductionDocument
  suggestion: SuggestionDocument
  community: CommunityDocument
  community_edit: CommunityDocument
  profile: ProfileDocument
  flag_note: FlagNoteDocument
}
