import { setImmediate as nextTurn } from 'node:timers/promises'
import { openObject } from '@stoa/shared/answers/json-pieces.js'
import type { FoundHit, SearchHit } from '@stoa/shared/contracts/search.js'
import type { SearchInput } from '../tables/search-statement.ts'
import { highlight, snippet, type Wanted, wantedWords } from '../texts/highlight.ts'
import type { Thing, Things } from './things.ts'

/** A hit that is public, as JSON. */
interface ShownHit {
  json: string
  /** Its index in the hits. */
  position: number
  tags: string[]
}

/**
 * How many milliseconds highlights are made at a time. Most answers take less, but a hundred bodies
 * written to be slow take most of a second, in which nothing else would be answered.
 */
const TURN_MS = 10

type How = Pick<SearchInput, 'type' | 'fields' | 'q'>

/**
 * The hits that are public now, in their order. A hit whose version is not the one that matched has
 * no highlights, because the words may be gone.
 */
export async function showHits(
  things: Things,
  { type, fields, q }: How,
  hits: FoundHit[],
): Promise<ShownHit[]> {
  if (hits.length === 0) return []
  const wanted = wantedWords(q)
  const ids = hits.map((hit) => hit.id)
  const found = await things.load({ type, fields, ids })
  const shown: ShownHit[] = []
  let beganAt = performance.now()
  for (const [position, { id, version, relevance }] of hits.entries()) {
    const thing = found.get(id)
    if (!thing) continue
    if (performance.now() - beganAt > TURN_MS) {
      await nextTurn()
      beganAt = performance.now()
    }
    const highlights = thing.version === version && wanted ? highlightsOf(thing, wanted) : {}
    const head: Pick<SearchHit, 'type' | 'id' | 'relevance' | 'highlights'> = {
      type,
      id,
      relevance,
      highlights,
    }
    const json = `${openObject(head)}"${type}":${thing.shown}}`
    shown.push({ json, position, tags: thing.tags })
  }
  return shown
}

function highlightsOf(
  { title, summary, body, beside = '' }: Thing,
  wanted: Wanted,
): SearchHit['highlights'] {
  const found = {
    title: highlight(title, wanted),
    summary: highlight(summary, wanted),
    body_md: snippet(body, wanted) ?? snippet(beside, wanted),
  }
  // JSON leaves out undefined fields.
  return found as SearchHit['highlights']
}
