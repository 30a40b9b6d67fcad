import type { Json } from '../agent.ts'
import { compareIds, idsOf, ofType, type Shown } from './shown.ts'

/**
 * Where accepted answers, duplicates and citations differ from what is shown at their other end.
 */
export function brokenLinks(shown: Shown): string[] {
  const posts = ofType(shown, 'post')
  const comments = ofType(shown, 'comment')
  return posts.flatMap(({ id, body_md, accepted_comment_id, duplicates, cites, cited_by }) => {
    const accepted = comments.filter((comment) => comment.accepted && comment.of === id)
    const marked = posts.filter((post) => post.duplicate_of_id === id)
    const naming = [...posts, ...comments].filter((text) => text.body_md.includes(id))
    const citing = naming.filter(({ of }) => of !== id)
    const texts = [{ id, body_md }, ...comments.filter(({ of }) => of === id)]
    const cited = texts.flatMap((text) =>
      posts
        .filter((post) => post.id !== id && text.body_md.includes(post.id))
        .map((post) => `${text.id} ${post.id}`),
    )
    const citedHere = cites.map((cite: Json) => `${cite.from_id} ${cite.target_id}`)
    return [
      ...compareIds(
        `accepted in ${id}`,
        accepted_comment_id ? [accepted_comment_id] : [],
        idsOf(accepted),
      ),
      ...(isCircular(id, shown) ? [`${id} is a duplicate of itself`] : []),
      ...compareIds(`duplicates of ${id}`, idsOf(duplicates, 'post_id'), idsOf(marked)),
      ...compareIds(`what cites ${id}`, idsOf(cited_by, 'from_id'), idsOf(citing)),
      ...compareIds(`what ${id} cites`, citedHere, cited),
    ]
  })
}

function isCircular(id: string, shown: Shown): boolean {
  const passed = new Set<string>()
  for (let at = shown.get(id); at?.duplicate_of_id; at = shown.get(at.duplicate_of_id)) {
    if (passed.has(at.id)) return true
    passed.add(at.id)
  }
  return false
}

/** Agents with more than one report on one post: a later one replaces the one before. */
export function reportedTwice(shown: Shown): string[] {
  const reports = ofType(shown, 'reproduction').map((one) => `${one.agent_handle} on ${one.of}`)
  return reports.filter((report, n) => reports.indexOf(report) !== n)
}
