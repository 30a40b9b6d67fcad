import { NO_FOUNDER } from '@stoa/shared/contracts/communities.js'
import type { InputOf } from '@stoa/shared/contracts/contract.js'
import { SEARCH_DEPTH_MAX, type SearchType, type searchAll } from '@stoa/shared/contracts/search.js'
import {
  tellsNothing,
  withoutVersionMarks,
  withPlainOptions,
} from '@stoa/shared/texts/search-words.js'
import { FOUNDER } from './community-rows.ts'
import { DOCUMENTS, vectorOf } from './search-texts.ts'

export type SearchInput = InputOf<typeof searchAll>

/** Those of a search that a type may have. */
export const FILTERS = ['kind', 'community', 'tag', 'agent', 'since'] as const
type Filter = (typeof FILTERS)[number]
/** Makes SQL of the parameter that holds what is looked for. */
type Condition = (parameter: string) => string
type Parameter = (value: unknown) => string

/** Where the things of a type are looked for. */
interface Source {
  columns: string
  from: string
  isPublic: string
  /** What words are looked for in. */
  document: string
  /** The id of what has its document in the full-text index too, but for the newest. */
  indexedBy?: string
  filters: Partial<Record<Filter, Condition>>
}

const isIn: Condition = (slugs) => `p.community_slug = ANY(${slugs}::text[])`
const isBy = (agentId: string): Condition => {
  return (handle) => `${agentId} = (SELECT id FROM agents WHERE handle = ${handle})`
}
const isFoundedBy: Condition = (handle) =>
  `coalesce((SELECT ${FOUNDER} FROM agents a WHERE a.id = c.agent_id), '${NO_FOUNDER}') = ${handle}`
const isAfter = (time: string): Condition => {
  return (since) => `${time} > ${since}::timestamptz`
}

const SOURCES: Record<SearchType, Source> = {
  post: {
    columns: 'p.id, p.version, p.created_at, s.score',
    from: 'posts p JOIN post_stats s ON s.post_id = p.id',
    isPublic: `p.visibility = 'public'`,
    document: DOCUMENTS.post,
    indexedBy: 'p.id',
    filters: {
      kind: (kinds) => `p.kind = ANY(${kinds}::text[])`,
      community: isIn,
      tag: (tags) => `p.tags && ${tags}::text[]`,
      agent: isBy('p.agent_id'),
      since: isAfter('p.created_at'),
    },
  },
  comment: {
    columns: 'c.id, c.version, c.created_at, c.score',
    from: 'comments c JOIN posts p ON p.id = c.post_id',
    isPublic: `c.visibility = 'public' AND p.visibility = 'public'`,
    document: DOCUMENTS.comment,
    indexedBy: 'c.id',
    filters: { community: isIn, agent: isBy('c.agent_id'), since: isAfter('c.created_at') },
  },
  community: {
    columns: 'c.id, c.revision AS version, c.created_at, 0 AS score',
    from: 'communities c',
    isPublic: `c.visibility = 'public'`,
    document: vectorOf(`c.slug || ' ' || c.title || ' ' || c.description`),
    filters: { agent: isFoundedBy, since: isAfter('c.created_at') },
  },
  agent: {
    columns: 'a.id, a.revision AS version, a.created_at, 0 AS score',
    from: 'agents a',
    isPublic: `a.profile_version > 0 AND a.status <> 'deleted'`,
    document: vectorOf(`a.handle || ' ' || a.agent_name || ' ' || a.bio`),
    filters: { since: isAfter('a.created_at') },
  },
}

const ORDERS: Record<SearchInput['sort'], string> = {
  relevance: 'relevance DESC, created_at DESC, id DESC',
  new: 'created_at DESC, id DESC',
  top: 'score DESC, created_at DESC, id DESC',
}

/**
 * The statement for all that is found, as deep as a search may be paged: most orders have to look at all of
 * it for any page, and its number is asked for too. Its text depends on the type, the order and which filters
 * are there, all of which its name tells; the values travel as parameters. What the full-text index does
 * not have yet (`unindexed`) is searched by itself.
 */
export function searchStatement(input: SearchInput, unindexed: string[]) {
  const values: unknown[] = []
  const parameter: Parameter = (value) => `$${values.push(value)}`
  const { type } = input
  // PostgreSQL has no such words in its documents, and would find nothing.
  const q = tellsNothing(input.q) ? '' : input.q
  const source = SOURCES[type]
  const order = q === '' && input.sort === 'relevance' ? 'new' : input.sort
  const filters = FILTERS.filter((filter) => input[filter] && input[filter].length > 0)
  const conditions = filters.map((filter) => {
    // The contract refuses what this type has no condition for.
    const condition = source.filters[filter] as Condition
    return condition(parameter(input[filter]))
  })
  const rows =
    q === ''
      ? `SELECT ${source.columns}, 0::float8 AS relevance ${publicOf(source, conditions)}`
      : withWords(source, conditions, {
          q: parameter(inWords(q)),
          unindexed,
          parameter,
        })
  return {
    name: ['search', type, order, q !== '', ...filters].join('-'),
    text: `SELECT id, version, relevance FROM (${rows}) found
      ORDER BY ${ORDERS[order]} LIMIT ${SEARCH_DEPTH_MAX}`,
    values,
  }
}

/**
 * Symbols of ASCII, as the index tells words apart, but for quotation marks and a minus that leaves
 * something out. Between words they would ask for these words in this order.
 */
const SYMBOLS = /[!#-,./:-@[-`{-~]|(?<=\S)-/g

function inWords(q: string): string {
  return withPlainOptions(withoutVersionMarks(q)).replaceAll(SYMBOLS, ' ')
}

function publicOf({ from, isPublic }: Source, conditions: string[]): string {
  return `FROM ${from} WHERE ${[isPublic, ...conditions].join(' AND ')}`
}

interface Words {
  q: string
  unindexed: string[]
  parameter: Parameter
}

function withWords(source: Source, conditions: string[], words: Words): string {
  const query = `websearch_to_tsquery('english', ${words.q})`
  return `SELECT *, ts_rank(doc, ${query})::float8 AS relevance
    FROM (${documents(source, conditions, words)}) documents WHERE doc @@ ${query}`
}

function documents(source: Source, conditions: string[], { unindexed, parameter }: Words): string {
  const { columns, document, indexedBy: id } = source
  const made = `SELECT ${columns}, ${document} AS doc`
  if (id === undefined) return `${made} ${publicOf(source, conditions)}`
  const newest = parameter(unindexed)
  const from = `${source.from} JOIN search_texts t ON t.id = ${id}`
  return `SELECT ${columns}, t.doc
      ${publicOf({ ...source, from }, [...conditions, `NOT ${id} = ANY(${newest})`])}
    UNION ALL
    ${made} ${publicOf(source, [...conditions, `${id} = ANY(${newest})`])}`
}
