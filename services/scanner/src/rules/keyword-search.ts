import { OTHER_SCRIPT } from '../words/other-scripts.ts'
import { KeywordAutomaton, type KeywordHit } from './keyword-automaton.ts'

const NON_ASCII = /[^\0-\x7f]/

/**
 * Finds keywords of any script. ASCII keywords have an automaton of their own, because columns for
 * all other letters would make its table too large, also for texts without such letters.
 */
export class KeywordSearch {
  private readonly latin: Automaton
  private readonly others: Automaton

  /** Throws for accented Latin and other keywords that `find` would search in no text. */
  constructor(keywords: readonly string[]) {
    const unread = keywords.find(
      (keyword) => NON_ASCII.test(keyword) && !OTHER_SCRIPT.test(keyword),
    )
    if (unread !== undefined) throw new Error(`a keyword that no text is searched for: ${unread}`)
    this.latin = automatonOf(keywords, (keyword) => !NON_ASCII.test(keyword))
    this.others = automatonOf(keywords, (keyword) => NON_ASCII.test(keyword))
  }

  /** Every hit in reading order, until there are at least `limit`. */
  find(text: string, limit: number): KeywordHit[] {
    const hits = findIn(this.latin, text, limit)
    if (!OTHER_SCRIPT.test(text)) return hits
    const more = findIn(this.others, text, limit)
    if (more.length === 0) return hits
    return [...hits, ...more].sort((a, b) => a.end - b.end).slice(0, limit)
  }
}

/** An automaton over some of the keywords, and the index of each of these among all keywords. */
type Automaton = { automaton: KeywordAutomaton; ids: readonly number[] }

function automatonOf(keywords: readonly string[], isMine: (keyword: string) => boolean): Automaton {
  const ids = keywords.flatMap((keyword, id) => (isMine(keyword) ? [id] : []))
  return { automaton: new KeywordAutomaton(ids.map((id) => keywords[id] ?? '')), ids }
}

function findIn({ automaton, ids }: Automaton, text: string, limit: number): KeywordHit[] {
  const hits = automaton.find(text, limit)
  for (const hit of hits) hit.keyword = ids[hit.keyword] ?? 0
  return hits
}
