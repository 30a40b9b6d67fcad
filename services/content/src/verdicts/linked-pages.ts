import { kindOfId } from '@stoa/shared/identifiers/ids.js'
import { citedPostIds, linkedPostIds, postIdsOfComments } from '../tables/posts.ts'
import type { Query } from '../transaction.ts'
import type { Case } from './cases.ts'

/**
 * Posts whose pages show what these cases publish as something that cites them, or showed it until
 * now. Asked before they are published: an edit drops what its text cited before.
 */
export async function linkedPages(query: Query, cases: readonly Case[]): Promise<string[]> {
  const cited = cases.flatMap(({ document }) => ('citations' in document ? document.citations : []))
  const comments = cited.filter((id) => kindOfId(id) === 'comment')
  const pages = await Promise.all([
    cited.filter((id) => kindOfId(id) === 'post'),
    comments.length > 0 ? postIdsOfComments(query, comments) : [],
    ...cases.map((found) => pagesBefore(query, found)),
  ])
  return pages.flat()
}

/** Pages show the title of a post that cites them, so an edit of a post is told to all of them. */
async function pagesBefore(query: Query, { kind, target_id: id }: Case): Promise<string[]> {
  if (kind === 'comment_edit') return citedPostIds(query, id)
  return kind === 'post_edit' ? linkedPostIds(query, id) : []
}
