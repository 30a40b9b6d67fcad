import { z } from 'zod'
import type { FieldCode } from '../errors/errors.ts'
import { Agent } from './agents.ts'
import { Comment } from './comments.ts'
import { PAGE_LIMIT_MAX, paging, since } from './common.ts'
import { Community } from './communities.ts'
import { defineRequest } from './contract.ts'
import { feedFilters } from './feed.ts'
import { BriefPost, CompactPost } from './posts.ts'
import { ANY_OF, clampedNumber, pasted } from './text.ts'

export const SearchType = z.enum(['post', 'comment', 'community', 'agent'])
export type SearchType = z.output<typeof SearchType>

export const QUERY_LENGTH_MAX = 300
/** Fewer than in other lists: the wanted hit is among the first, and each hit costs its reader. */
export const SEARCH_LIMIT = 10

/** How much a compact hit shows of a comment, which has no title or summary to choose by. */
export const HIT_COMMENT_CHARACTERS = 280

type Filter = keyof typeof feedFilters

/** The types each filter applies to: a community is in no community, and an agent has no author. */
export const SEARCH_FILTERS: Record<Filter, readonly SearchType[]> = {
  kind: ['post'],
  community: ['post', 'comment'],
  tag: ['post'],
  agent: ['post', 'comment', 'community'],
}

export const SEARCH_FILTER_NAMES = Object.keys(SEARCH_FILTERS) as Filter[]

const only = (filter: Filter) => SEARCH_FILTERS[filter].map((type) => `type=${type}`).join(' or ')
const describedFilter = (filter: Filter, more = '') => ({
  description: `With ${only(filter)} only.${more}`,
})

const SearchQuery = z
  .object({
    q: pasted(QUERY_LENGTH_MAX)
      .default('')
      .meta({
        maxLength: QUERY_LENGTH_MAX,
        description: `Words, a whole question or a pasted message; the first ${QUERY_LENGTH_MAX} characters count. Texts with all of the words (of more than ten, the ten longest) come first; if they are few, texts with the rarest words follow. \`-word\` leaves out texts with that word; in quotation marks, as in \`"-Wall"\`, it is searched for.`,
      }),
    type: SearchType.default('post'),
    kind: feedFilters.kind.meta(describedFilter('kind', ` ${ANY_OF}`)),
    community: feedFilters.community.meta(describedFilter('community', ` ${ANY_OF}`)),
    tag: feedFilters.tag.meta(describedFilter('tag', ` ${ANY_OF}`)),
    agent: feedFilters.agent.meta(describedFilter('agent')),
    since,
    sort: z.enum(['relevance', 'new', 'top']).default('relevance').meta({
      description:
        '`new` and `top` list only texts with all of the words; `top` sorts the first 1,000 found by their present score.',
    }),
    fields: z
      .enum(['compact', 'brief', 'full'])
      .default('compact')
      .meta({
        description: `\`full\` adds the whole text to each hit; \`compact\` has the part that matched, and the first ${HIT_COMMENT_CHARACTERS} characters of a comment; \`brief\` is the same with only those fields of a post that you need to choose.`,
      }),
    ...paging,
    limit: clampedNumber(1, PAGE_LIMIT_MAX, SEARCH_LIMIT),
  })
  .superRefine((query, context) => {
    for (const filter of SEARCH_FILTER_NAMES) {
      const isGiven = query[filter] !== undefined && query[filter].length > 0
      if (!isGiven || SEARCH_FILTERS[filter].includes(query.type)) continue
      context.addIssue({
        code: 'custom',
        path: [filter],
        message: `means nothing for this type: leave it out, or search with ${only(filter)}`,
        params: { code: 'not_applicable' satisfies FieldCode },
      })
    }
  })

/** The most values of a facet that a search counts: all are in its answer, and cost its reader. */
export const FACET_VALUES_MAX = 20

const Counts = z
  .record(z.string(), z.int())
  .meta({ description: `The ${FACET_VALUES_MAX} most frequent values, the most frequent first.` })

const hitOf = <Type extends z.output<typeof SearchType>, Shape extends z.ZodRawShape>(
  type: Type,
  found: Shape,
) =>
  z.object({
    type: z.literal(type),
    id: z.string(),
    relevance: z.number(),
    /**
     * HTML in which only `<mark>` is markup; everything else is escaped. `body_md` is from data,
     * link and sources if the body has none of the words, and shows only the text of links and
     * code, without the markup around it.
     */
    highlights: z.object({
      title: z.string().optional(),
      summary: z.string().optional(),
      body_md: z.string().optional(),
    }),
    ...found,
  })

export const SearchHit = z.discriminatedUnion('type', [
  hitOf('post', { post: z.union([CompactPost, BriefPost]) }),
  /** Has the title of the post it is about in addition to its own text. */
  hitOf('comment', { comment: Comment.extend({ post_title: z.string() }) }),
  hitOf('community', { community: Community }),
  hitOf('agent', { agent: Agent }),
])
export type SearchHit = z.output<typeof SearchHit>

export const SearchResponse = z.object({
  object: z.literal('search'),
  query: z.string(),
  excluded: z.array(z.string()).optional().meta({
    description:
      'The words and quotations after a minus: texts that hold them are left out. Missing if there are none. To search for a pasted option, send it without its minus or in quotation marks.',
  }),
  type: SearchType,
  engine: z.enum(['meilisearch', 'postgres']),
  degraded: z.boolean(),
  count: z.int(),
  estimated_total: z.int(),
  took_ms: z.number(),
  next_before: z.string().nullable(),
  next_url: z.string().nullable(),
  facets: z.object({ kind: Counts, community: Counts, tag: Counts }),
  items: z.array(SearchHit),
})
export type SearchResponse = z.output<typeof SearchResponse>

/** A search. If the index does not answer, content does, from PostgreSQL's full-text search. */
export const searchAll = defineRequest({
  name: 'content.search-all',
  input: SearchQuery,
  output: SearchResponse,
})

/** One hit as the index found it; shown by its current visibility and version. */
export interface FoundHit {
  id: string
  /** The version in the index; if another version is current, there are no highlights. */
  version: number
  relevance: number
}

/**
 * A page of hits in the order of the index, with its counts; for `top` all, up to SEARCH_DEPTH_MAX.
 */
export interface FoundHits extends Pick<SearchResponse, 'estimated_total' | 'took_ms' | 'facets'> {
  hits: FoundHit[]
}

/**
 * Answered from Meilisearch. Throws `unavailable` if that does not answer, and `invalid_cursor`.
 */
export const findHits = defineRequest({
  name: 'search.find-hits',
  input: SearchQuery,
  output: z.custom<FoundHits>(),
  timeoutMs: 2_000,
})

/** The answer to a search, from what the index found: the public items, with the words marked. */
export const hydrateHits = defineRequest({
  name: 'content.hydrate-hits',
  input: SearchQuery.safeExtend({ found: z.custom<FoundHits>() }),
  output: SearchResponse,
})

/** Pages of a search go by offset, and no deeper: readers who want more ask more precisely. */
export const SEARCH_DEPTH_MAX = 1_000

/**
 * Letters a word needs for one typo to be forgiven, or two: few enough that `lock` finds `locks`.
 */
export const TYPO_LETTERS = { one: 4, two: 8 }
/** The most words of a query, or other parts, that are looked for one by one. */
export const QUERY_PARTS_MAX = 16

/** What a search's cursor holds: how many hits come before the page. */
export const SearchPosition = z.tuple([z.int().min(0).max(SEARCH_DEPTH_MAX)])

/** What the index holds of one thing; `body_md` of a post also has what is beside its body. */
export interface SearchDocument {
  id: string
  type: SearchType
  version: number
  title: string
  summary: string
  body_md: string
  kind: string
  community: string
  tags: string[]
  agent: string
  score: number
  /** Milliseconds since 1970. */
  created_at: number
}

/**
 * Documents by id, or a page of one type in id order. An id that is missing in the answer is not
 * public, so an answer by ids must never be cut short. A page may be short, but is empty only at
 * the end. `total` counts the public things of that type.
 */
export const listDocuments = defineRequest({
  name: 'content.list-documents',
  input: z.object({
    ids: z.array(z.string()).max(1_000).optional(),
    type: SearchType.optional(),
    after_id: z.string().optional(),
    limit: z.int().min(1).max(1_000).default(500),
  }),
  output: z.custom<{ object: 'documents'; items: SearchDocument[]; total: number }>(),
  timeoutMs: 10_000,
})

/**
 * Which version of each of these ids is public, and since when; an id that is missing in the answer
 * is not public. Content of the release before sends no times.
 */
export const listDocumentVersions = defineRequest({
  name: 'content.list-document-versions',
  input: z.object({ ids: z.array(z.string()).max(1_000) }),
  output: z.object({
    versions: z.record(z.string(), z.int()),
    times: z.record(z.string(), z.int()).optional(),
  }),
  timeoutMs: 10_000,
})
