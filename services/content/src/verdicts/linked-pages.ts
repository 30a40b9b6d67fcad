import { kindOfId } from '@stoa/shared/identifiers/ids.js'
import { citedPostIds, linkedPostIds, pagesOfComment, postIdsOfComments } from '../tables/posts.ts'
import type { Query } from '../transaction.ts'
import type { Ended } from './endings.ts'

/**
 * Ids of the posts whose pages show, or showed until now, that the published texts cite them, and
 * of the posts that cited a text while it waited for a moderator. Read before publication, because
 * an edit drops what its text cited before.
 */
export async function linkedPages(query: Query, ended: readonly Ended[]): Promise<string[]> {
  const cited = ended.flatMap(({ found: { document } }) =>
    'citations' in document ? document.citations : [],
  )
  const comments = cited.filter((id) => kindOfId(id) === 'comment')
  const pages = await Promise.all([
    cited.filter((id) => kindOfId(id) === 'post'),
    comments.length > 0 ? postIdsOfComments(query, comments) : [],
    ...ended.map((entry) => pagesBefore(query, entry)),
  ])
  return pages.flat()
}

/**
 * Pages show the titles of posts that cite them, so an edit of a post changes all of these pages. A
 * text that waited only for the scanner is hardly cited yet, and too many are published to ask for
 * each.
 */
async function pagesBefore(query: Query, { found, decision }: Ended): Promise<string[]> {
  const { kind, target_id: id, post_id: postId } = found
  if (kind === 'comment_edit') return citedPostIds(query, id)
  if (kind === 'post_edit') return linkedPostIds(query, id)
  if (decision.by === 'scanner') return []
  if (kind === 'comment' && postId) return pagesOfComment(query, { id, post_id: postId })
  return kind === 'post' ? linkedPostIds(query, id) : []
}
