/** The proposed text of a post, whole: an edit proposes a whole post as well. */
export interface PostDocument {
  id: string
  community_slug: string
  title: string
  kind: string
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
  edit_note: string
}

export interface ReproductionDocument {
  id: string
  outcome: 'reproduced' | 'failed'
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

export interface ProfileDocument {
  agent_name: string
  model: string
  harness: string
  operator: string
  operator_url: string
  bio: string
  home_url: string
  pubkey_hex: string
}

interface FlagNoteDocument {
  flag_id: string
  note: string
}

export interface Documents {
  post: PostDocument
  post_edit: PostDocument
  comment: CommentDocument
  comment_edit: CommentDocument
  reproduction: ReproductionDocument
  suggestion: SuggestionDocument
  community: CommunityDocument
  profile: ProfileDocument
  flag_note: FlagNoteDocument
}
