import { QUERY_PARTS_MAX } from '@stoa/shared/contracts/search.js'
import type { FacetDistribution, Hit, SearchParams } from 'meilisearch'
import { type Found, mostFrequent } from './found.ts'
import { countQuery, partQuery, type SearchInput } from './meili-query.ts'
import { namesWithin, parseQuery, type Query } from './query-words.ts'

/** If fewer texts than this have all the words, texts with some of them follow. */
const ENOUGH = 5
/** Texts are listed for at most this many parts of a query, the rarest. */
const LISTED_MAX = 6
/** The most texts listed for each part. */
const TEXTS_MAX = 50
/** A text with a smaller share of the weight of the best one says little of the query. */
const SHARE_MIN = 1 / 3

/** Finds everything that passes the filters. */
const NO_WORDS: Query = { parts: [], excluded: [] }

/** Asks these questions of the whole index at once. Throws `unavailable`. */
type AskAll = (queries: SearchParams[]) => Promise<Found[]>

/** Whether texts with only some of the words are wanted too, given how many have all. */
export function wantsSomeWords({ q, sort }: SearchInput, estimatedTotal: number): boolean {
  // In any other order than relevance, such texts would come up anywhere.
  if (sort !== 'relevance' || estimatedTotal >= ENOUGH) return false
  const { parts } = parseQuery(q)
  return parts.length > 1 || (estimatedTotal === 0 && parts.flatMap(namesWithin).length > 0)
}

interface Weighed {
  hit: Hit
  weight: number
}

/**
 * Every text with all words of a query, then texts with some of them: the rarer a word is among the
 * texts that pass the filters, the more it counts (inverse document frequency: Sparck Jones, "A
 * statistical interpretation of term specificity", 1972). Facets count the texts found.
 */
export async function findSomeWords(askAll: AskAll, input: SearchInput): Promise<Found> {
  const query = parseQuery(input.q)
  const given = query.parts.slice(0, QUERY_PARTS_MAX)
  const names = given.flatMap(namesWithin)
  const within = [...names, ...names.flatMap(namesWithin)].slice(0, QUERY_PARTS_MAX)
  const weights = await weightsOf(askAll, input, query, [...new Set([...given, ...within])])
  const parts = [...new Set(given.flatMap((part) => thereOf(part, weights)))]
  const rarest = parts
    .filter((part) => weights.get(part)?.isThere)
    .sort((a, b) => weightOf(weights, b) - weightOf(weights, a))
    .slice(0, LISTED_MAX)
  const [whole, ...lists] = await askAll([
    partQuery(input, query, ENOUGH),
    ...rarest.map((part) => partQuery(input, only(query, part), TEXTS_MAX)),
  ])
  const all = parts.reduce((sum, part) => sum + weightOf(weights, part), 0)
  const found = new Map<string, Weighed>()
  for (const [i, { hits }] of lists.entries()) {
    for (const hit of hits) {
      const { weight = 0 } = found.get(hit.id) ?? {}
      const share = (weightOf(weights, rarest[i] ?? '') / all) * (hit._rankingScore ?? 0)
      found.set(hit.id, { hit, weight: weight + share })
    }
  }
  return inOrder(whole?.hits ?? [], found)
}

/** A part, or, if no text has it, the names within it, each treated in the same way. */
function thereOf(part: string, weights: Weights): string[] {
  const names = weights.get(part)?.isThere ? [] : namesWithin(part)
  return names.length > 0 ? names.flatMap((name) => thereOf(name, weights)) : [part]
}

/** Texts with all words, then the others by their weight. */
function inOrder(whole: Hit[], found: Map<string, Weighed>): Found {
  for (const { id } of whole) found.delete(id)
  const falling = [...found.values()].sort((a, b) => b.weight - a.weight || byTime(a.hit, b.hit))
  const least = (falling[0]?.weight ?? 0) * SHARE_MIN
  const some = falling
    .filter(({ weight }) => weight >= least)
    .map(({ hit, weight }) => ({ ...hit, _rankingScore: weight }))
  const hits = [...whole, ...some]
  return { hits, estimatedTotal: hits.length, facets: facetsOf(hits) }
}

function byTime(a: Hit, b: Hit): number {
  return b.created_at - a.created_at
}

type Weights = Map<string, { weight: number; isThere: boolean }>

function weightOf(weights: Weights, part: string): number {
  return weights.get(part)?.weight ?? 0
}

async function weightsOf(
  askAll: AskAll,
  input: SearchInput,
  query: Query,
  parts: string[],
): Promise<Weights> {
  const questions = [NO_WORDS, ...parts.map((part) => only(query, part))]
  const counts = await askAll(questions.map((one) => countQuery(input, one)))
  const [texts = 0, ...withPart] = counts.map(({ estimatedTotal }) => estimatedTotal)
  return new Map(
    parts.map((part, i) => {
      const count = withPart[i] ?? 0
      return [part, { weight: Math.log(1 + texts / (count + 0.5)), isThere: count > 0 }]
    }),
  )
}

/** One part of a query, with all that the query excludes. */
function only({ excluded }: Query, part: string): Query {
  return { parts: [part], excluded }
}

/** Facets by the field names of the index. */
function facetsOf(hits: Hit[]): FacetDistribution {
  const counted = (values: (hit: Hit) => string[]) =>
    mostFrequent(hits.flatMap(values).map((value) => [value, 1]))
  return {
    kind: counted(({ kind }) => [kind]),
    community: counted(({ community }) => [community]),
    tags: counted(({ tags }) => tags),
  }
}
