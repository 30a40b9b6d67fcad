import { NO_FOUNDER } from '@stoa/shared/contracts/communities.js'
import type { InputOf } from '@stoa/shared/contracts/contract.js'
import {
  SEARCH_DEPTH_MAX,
  SEARCH_FILTER_NAMES,
  type SearchType,
  type searchAll,
} from '@stoa/shared/contracts/search.js'
import { plainLetters } from '@stoa/shared/texts/plain-letters.js'
import {
  excludedFrom,
  STOP_WORDS,
  tellsNothing,
  withoutVersionMarks,
  withPlainOptions,
} from '@stoa/shared/texts/search-words.js'
import { namesSpelledAlike } from '@stoa/shared/texts/spellings.js'
import { FOUNDER } from './community-rows.ts'
import { DOCUMENTS, NAME_AND_NUMBER, vectorOf } from './search-texts.ts'

export type SearchInput = InputOf<typeof searchAll>

/** The filters of a search; each type has some of them. */
export const FILTERS = [...SEARCH_FILTER_NAMES, 'since'] as const
type Filter = (typeof FILTERS)[number]
/** Makes a condition from the parameter that holds the value to filter by. */
type Condition = (parameter: string) => string
type Parameter = (value: unknown) => string

/** Makes SQL that joins the matching row of another table. */
type Join = (table: string, name: string, on: string) => string

const joined: Join = (table, name, on) => `JOIN ${table} ${name} ON ${on}`
/** Looks rows up singly: for a long walk, the planner would otherwise read the whole table. */
const lookedUp: Join = (table, name, on) =>
  `CROSS JOIN LATERAL (SELECT ${name}.* FROM ${table} ${name} WHERE ${on} LIMIT 1) ${name}`

/** Where the search finds things of one type. */
interface Source {
  columns: string
  table: string
  /** The name of `table` in the statement. */
  alias: string
  beside: (join: Join) => string
  isPublic: string
  /** SQL of the tsvector that is searched. */
  document: string
  indexed?: Indexed
  filters: Partial<Record<Filter, Condition>>
}

/** A type whose documents are in the full-text index, except for the newest. */
interface Indexed {
  id: string
  /** The condition of the rows that a walk reads, along an index in the order of `newest`. */
  isWalked: string
  newest: string
  /** Filters that an index of the walk answers; the others are applied to the walked rows. */
  along: readonly Filter[]
}

/** If more texts match, ranking would take ever longer, so the newest WALKED_MAX are searched instead. */
const MATCHES_MAX = 10_000
const WALKED_MAX = 20_000

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
    table: 'posts',
    alias: 'p',
    beside: (join) => join('post_stats', 's', 's.post_id = p.id'),
    isPublic: `p.visibility = 'public' AND s.visible`,
    document: DOCUMENTS.post,
    indexed: {
      id: 'p.id',
      isWalked: `p.visibility = 'public'`,
      newest: 'p.created_at DESC, p.id DESC',
      along: ['agent', 'since'],
    },
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
    table: 'comments',
    alias: 'c',
    beside: (join) => join('posts', 'p', 'p.id = c.post_id'),
    isPublic: `c.visibility = 'public' AND p.visibility = 'public'`,
    document: DOCUMENTS.comment,
    indexed: {
      id: 'c.id',
      isWalked: `c.visibility = 'public'`,
      newest: 'c.id DESC',
      along: ['agent'],
    },
    filters: { community: isIn, agent: isBy('c.agent_id'), since: isAfter('c.created_at') },
  },
  community: {
    columns: 'c.id, c.revision AS version, c.created_at, 0 AS score',
    table: 'communities',
    alias: 'c',
    beside: () => '',
    isPublic: `c.visibility = 'public'`,
    document: vectorOf(`c.slug || ' ' || c.title || ' ' || c.description`),
    filters: { agent: isFoundedBy, since: isAfter('c.created_at') },
  },
  agent: {
    columns: 'a.id, a.revision AS version, a.created_at, 0 AS score',
    table: 'agents',
    alias: 'a',
    beside: () => '',
    isPublic: `a.profile_version > 0`,
    document: vectorOf(`a.handle || ' ' || a.agent_name || ' ' || a.bio`),
    filters: { since: isAfter('a.created_at') },
  },
}

const ORDERS: Record<SearchInput['sort'], string> = {
  relevance: 'relevance DESC, created_at DESC, id DESC',
  new: 'created_at DESC, id DESC',
  top: 'score DESC, id DESC',
}

/**
 * The statement for all results, down to the deepest page allowed: most orders must look at all of
 * them for any page, and their number is asked for too. Ids are in the order of time. The text
 * depends on type, order and the filters given, which its name tells; values are parameters.
 * `unindexed` holds the ids that the full-text index lacks, which are searched separately.
 */
export function searchStatement(input: SearchInput, unindexed: string[]) {
  const values: unknown[] = []
  const parameter: Parameter = (value) => `$${values.push(value)}`
  const { type } = input
  // PostgreSQL leaves such words out of its documents, and would find nothing.
  const q = tellsNothing(input.q) ? '' : input.q
  const source = SOURCES[type]
  const order = q === '' && input.sort === 'relevance' ? 'new' : input.sort
  const filters = FILTERS.filter((filter) => input[filter] && input[filter].length > 0)
  const conditions = new Map(
    filters.map((filter) => {
      // The contract refuses filters that this type has no condition for.
      const condition = source.filters[filter] as Condition
      return [filter, condition(parameter(input[filter]))] as const
    }),
  )
  const rows =
    q === ''
      ? `SELECT ${source.columns}, 0::float8 AS relevance ${withoutWords(source, conditions)}`
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
 * The ASCII symbols and the non-breaking hyphen, which separate words in the index too, except for
 * quotation marks and a minus that excludes a word. Left in the query between two words, a symbol
 * would ask for these words in this order.
 */
const SYMBOLS = /[!#-,./:-@[-`{-~\u2011]|(?<=\S)-/g

const NUMBERED = new RegExp(NAME_AND_NUMBER, 'gi')

/** Removes accents, as the index does. In other scripts, a mark is often part of a letter and stays. */
function unaccented(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
}

function inWords(q: string): string {
  const text = withPlainOptions(withoutVersionMarks(unaccented(plainLetters(namesSpelledAlike(q)))))
  return text.replaceAll(SYMBOLS, ' ').replaceAll(NUMBERED, '$1 $2')
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu
/** The most words of such a query; the longest words are taken. */
const ANY_OF_MAX = 10

/** A query for any of the words in `q`; undefined if `q` has only one, or excludes a word. */
export function anyOfWords(q: string): string | undefined {
  const words = inWords(q).toLowerCase().match(WORD) ?? []
  const telling = [...new Set(words)].filter((word) => word.length > 1 && !STOP_WORDS.has(word))
  if (telling.length < 2 || excludedFrom(q).length > 0) return undefined
  const longest = telling.sort((a, b) => b.length - a.length).slice(0, ANY_OF_MAX)
  return longest.join(' or ')
}

type Conditions = ReadonlyMap<Filter, string>

/** The rows to choose from, as SQL for `FROM`, and how to join other tables to them. */
interface Things {
  from: string
  join: Join
}

function all({ table, alias }: Source): Things {
  return { from: `${table} ${alias}`, join: joined }
}

/** The newest WALKED_MAX rows that meet the filters with an index. */
function walked({ table, alias }: Source, indexed: Indexed, conditions: Conditions): Things {
  const { isWalked, newest, along } = indexed
  const met = along.flatMap((filter) => conditions.get(filter) ?? [])
  const rows = `SELECT ${alias}.* FROM ${table} ${alias} WHERE ${[isWalked, ...met].join(' AND ')}
    ORDER BY ${newest} LIMIT ${WALKED_MAX}`
  return { from: `(${rows}) ${alias}`, join: lookedUp }
}

function publicOf(
  source: Source,
  { from, join }: Things,
  conditions: Iterable<string>,
  texts = '',
): string {
  const where = [source.isPublic, ...conditions].join(' AND ')
  return `FROM ${from} ${source.beside(join)} ${texts} WHERE ${where}`
}

/** Comments have no index by time or score: the newest are walked, or those of a community's posts. */
function withoutWords(source: Source, conditions: Conditions): string {
  const { indexed, table } = source
  const isWalk = table === 'comments' && indexed && !conditions.has('community')
  const things = isWalk ? walked(source, indexed, conditions) : all(source)
  return publicOf(source, things, conditions.values())
}

interface Words {
  q: string
  unindexed: string[]
  parameter: Parameter
}

function withWords(source: Source, conditions: Conditions, words: Words): string {
  const query = `websearch_to_tsquery('english', ${words.q})`
  const { indexed, columns, document } = source
  const documents = indexed
    ? indexedDocuments(source, indexed, conditions, { ...words, query })
    : `SELECT ${columns}, ${document} AS doc ${publicOf(source, all(source), conditions.values())}`
  return `SELECT *, ts_rank(doc, ${query})::float8 AS relevance
    FROM (${documents}) documents WHERE doc @@ ${query}`
}

/**
 * Texts that the index finds for the words are looked up; if there are too many, the newest texts
 * are walked instead. One agent's texts are always walked: fewer than all texts with the words.
 */
function indexedDocuments(
  source: Source,
  indexed: Indexed,
  conditions: Conditions,
  { query, unindexed, parameter }: Words & { query: string },
): string {
  const { columns, document } = source
  const { id } = indexed
  const newest = parameter(unindexed)
  const given = [...conditions.values()]
  const select = (things: Things, ...others: string[]) => {
    const texts = things.join('search_texts', 't', `t.id = ${id}`)
    const old = [...given, `NOT ${id} = ANY(${newest})`, ...others]
    return `SELECT ${columns}, t.doc ${publicOf(source, things, old, texts)}`
  }
  const walk = walked(source, indexed, conditions)
  const short = [`(SELECT is_short FROM way)`, `${id} = ANY(ARRAY(SELECT id FROM matching))`]
  const found = conditions.has('agent')
    ? select(walk)
    : `WITH matching AS MATERIALIZED (
        SELECT id FROM search_texts WHERE doc @@ ${query} LIMIT ${MATCHES_MAX + 1}),
      way AS MATERIALIZED (SELECT count(*) <= ${MATCHES_MAX} AS is_short FROM matching)
      ${select({ ...all(source), join: lookedUp }, ...short)}
      UNION ALL ${select(walk, 'NOT (SELECT is_short FROM way)')}`
  return `${found}
    UNION ALL
    SELECT ${columns}, ${document} AS doc
      ${publicOf(source, all(source), [...given, `${id} = ANY(${newest})`])}`
}
