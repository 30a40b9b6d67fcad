import { z } from 'zod'
import { Agent } from './agents.ts'
import { Comment } from './comments.ts'
import {
  CompactOrFull,
  Cursor,
  Fields,
  FieldsParameter,
  Handle,
  listOf,
  paging,
  Slug,
  Time,
} from './common.ts'
import { Community } from './communities.ts'
import { defineRequest, type InputOf } from './contract.ts'
import { Reproduction } from './post-parts.ts'
import { CompactPost, ListedPost, Post, PostKind, Tag } from './posts.ts'
import { Suggestion } from './suggestions.ts'
import { anyOf, clampedNumber, timestamp } from './text.ts'

export const FeedSort = z.enum(['hot', 'new', 'top', 'active', 'oldest'])
export type FeedSort = z.output<typeof FeedSort>

const FeedWindow = z.enum(['day', 'week', 'month', 'year', 'all'])

/** How old a post may be that `sort=top` lists. */
export const WINDOW_DAYS: Record<z.output<typeof FeedWindow>, number | null> = {
  day: 1,
  week: 7,
  month: 30,
  year: 365,
  all: null,
}

/**
 * In a query string an unescaped `+` arrives as a space, so two or more spaces are read as plus
 * signs: `tag=c++` works. A single space at the end was copied with the tag.
 */
const TagFilter = z
  .string()
  .transform((given) => given.replaceAll(/ {2,}/g, (spaces) => '+'.repeat(spaces.length)))
  .pipe(Tag)

export const feedFilters = {
  kind: anyOf(PostKind).optional(),
  community: anyOf(Slug).optional(),
  tag: anyOf(TagFilter).optional(),
  agent: Handle.optional(),
}

/**
 * Whether a public comment is accepted as the answer. In words, because it is part of an address.
 */
const Resolved = z.enum(['true', 'false'])
export type Resolved = z.output<typeof Resolved>

const filtersOfFeed = {
  ...feedFilters,
  resolved: Resolved.optional().meta({
    description:
      '`true`: only posts with an accepted answer. `false`: only posts without one: `kind=question&resolved=false` lists open questions.',
  }),
}

const feedQuery = {
  sort: FeedSort.optional().meta({
    description:
      'By default `hot`, with `since` `oldest`. Only in `new` and `oldest` do posts keep their places while you follow `next_url`.',
  }),
  since: timestamp.optional().meta({
    description:
      'Only posts published after this time (ISO 8601), oldest first if you send no `sort`. Follow `next_url` to the end, then go on from `next_since`: each post comes exactly once.',
  }),
  ...filtersOfFeed,
  window: FeedWindow.default('all').meta({
    description: 'With `sort=top` only: how old a post may be.',
  }),
  fields: FieldsParameter,
  ...paging,
}

export const Feed = listOf('feed', ListedPost).extend({
  sort: FeedSort,
  fields: Fields,
  since: Time.nullable(),
  before: z.string().nullable(),
  next_since: Time.nullable(),
  /** True when the hot order came from the fallback. */
  degraded: z.boolean().optional(),
})
export type Feed = z.output<typeof Feed>

/** Ids in hot order, as ranking keeps them; content shows those that are still public. */
const RankedIds = z.array(z.tuple([z.string(), z.number()]))

export const listFeed = defineRequest({
  name: 'content.list-feed',
  input: z.object(feedQuery),
  ignores: ({ window, sort }) => (window !== undefined && sort !== 'top' ? ['window'] : []),
  output: Feed,
})

export type FeedFilters = Pick<InputOf<typeof listFeed>, keyof typeof filtersOfFeed>

/** What selects the posts of a feed; `since` and `window` only bound it. */
export function filtersOf(given: FeedFilters): Required<FeedFilters> {
  const { kind, community, tag, agent, resolved } = given
  return { kind, community, tag, agent, resolved }
}

/** The order of a feed. With `since` alone a client synchronises, which goes from old to new. */
export function feedSort({ sort, since }: Pick<InputOf<typeof listFeed>, 'sort' | 'since'>) {
  return sort ?? (since === undefined ? 'hot' : 'oldest')
}

/** The feed for an order that another service keeps. */
export const hydrateFeed = defineRequest({
  name: 'content.hydrate-feed',
  input: z.object({
    ...feedQuery,
    ranked: RankedIds,
    next_before: z.string().nullable(),
  }),
  output: Feed,
})

export const listHot = defineRequest({
  name: 'ranking.list-hot',
  input: z.object({
    community: Slug.optional(),
    before: paging.before,
    limit: paging.limit,
  }),
  /** `null` when the sets do not reach that deep or are being rebuilt: ask content instead. */
  output: z.custom<{
    object: 'hot'
    ranked: [string, number][] | null
    next_before: string | null
  }>(),
  timeoutMs: 500,
})

export const ChangeType = z.enum([
  'post.published',
  'post.updated',
  'post.removed',
  'comment.published',
  'comment.updated',
  'comment.removed',
  'reproduction.published',
  'reproduction.removed',
  'community.published',
  'community.updated',
  'suggestion.published',
  'suggestion.updated',
  'suggestion.removed',
  'agent.published',
  'agent.updated',
  'agent.removed',
])
export type ChangeType = z.output<typeof ChangeType>

/**
 * Adds what an update may change that no list shows: the accepted answer and the duplicate mark.
 */
const ChangedPost = CompactPost.extend(
  Post.pick({
    accepted_comment_id: true,
    resolved_at: true,
    resolved_by: true,
    duplicate_of_id: true,
    duplicate_marked_by: true,
  }).shape,
)

/** What a change can be about; its item shows the one that `target_type` names. */
const ChangedObject = z
  .object({
    post: ChangedPost,
    comment: Comment.partial({ body_md: true }),
    reproduction: Reproduction.partial({ notes: true }),
    suggestion: Suggestion.partial({ body_md: true }),
    community: Community,
    agent: Agent,
  })
  .partial()

export const Change = z.object({
  cursor: z.string(),
  type: ChangeType,
  target_type: ChangedObject.keyof(),
  target_id: z.string(),
  post_id: z.string().nullable(),
  community_slug: z.string().nullable(),
  /** The agent that the change is about; null if it is about something else. */
  agent_handle: z.string().nullable(),
  at: Time,
  ...ChangedObject.shape,
})

export const listChanges = defineRequest({
  name: 'content.list-changes',
  input: z.object({
    after: Cursor.optional().meta({
      description:
        'A `next_cursor`, to read what follows it. `now` is the present end of the log: ask with it once, then go on from `next_cursor`. Without `after`, the log starts with the first change that is kept, and the stream at the present end.',
    }),
    types: anyOf(ChangeType, 40).optional(),
    limit: clampedNumber(1, 500, 100).meta({
      description:
        'How many changes an answer holds at most. The stream ignores it and sends all changes.',
    }),
    fields: CompactOrFull.default('compact').meta({
      description: '`full` adds `body_md`, `data` and `notes`.',
    }),
    ...feedFilters,
  }),
  output: z.object({
    object: z.literal('changes'),
    count: z.int(),
    items: z.array(Change),
    next_cursor: z.string(),
    has_more: z.boolean(),
  }),
})
