import {
  COMMENT_DEPTH_MAX,
  type Comment,
  getComment,
  listComments,
} from '@stoa/shared/contracts/comments.js'
import { EMBEDDED_MAX } from '@stoa/shared/contracts/common.js'
import { getPost, type PostDetail } from '@stoa/shared/contracts/posts.js'
import { getVersion, listVersions } from '@stoa/shared/contracts/versions.js'
import { isAppError } from '@stoa/shared/errors/errors.js'
import {
  changesPath,
  postPath,
  threadFeedPath,
  versionPath,
  versionsPath,
  withQuery,
} from '../pages/links.ts'
import { renderThreadFeed } from '../pages/machine-files/atom.ts'
import { type PostPageData, renderPostPage } from '../pages/post/post.ts'
import { renderChangesPage } from '../pages/post/version-changes.ts'
import { renderVersionPage, renderVersionsPage } from '../pages/post/versions.ts'
import type { PageReader } from './page-reader.ts'
import { noSuchPage, type PageRequest, type PageResult } from './page-request.ts'

/**
 * A post's page. Its short address, and one with another community, redirect to its own with the
 * same parameters.
 */
export async function postPage({ path, query, reader, site }: PageRequest): Promise<PageResult> {
  const { before, comment } = query
  // The thread of a comment has a single order.
  const sort = comment === undefined ? query.sort : undefined
  const isWhole = before === undefined && (sort === undefined || sort === 'thread')
  const detail = await readPost(reader, path.id, isWhole ? EMBEDDED_MAX : 0)
  const shown = isWhole
    ? await withThread(reader, detail, comment)
    : await withComments(reader, detail, { before, comment, sort })
  const text = () => renderPostPage(shown, site)
  if (detail.post.community_slug === path.slug) return text()
  return { redirect: withQuery(postPath(detail.post), { before, comment, sort }), text }
}

/** The post with one page of its comments, or of the replies to one comment. */
async function withComments(
  reader: PageReader,
  detail: PostDetail,
  { before, comment, sort }: PageRequest['query'],
): Promise<PostPageData> {
  const more = await readComments(reader, { id: detail.post.id, under: comment, sort, before })
  const thread = comment === undefined ? {} : { linked_id: comment, is_one_thread: true }
  const page = { sort: sort === 'thread' ? null : (sort ?? null), before: before ?? null }
  return { ...detail, ...more, ...thread, comments_page: page }
}

/** The most characters shown of each comment in an Atom feed, which links to the whole. */
const FEED_CHARS_MAX = 1_000

/** An Atom feed of the comments of a post, the newest first. */
export async function threadFeed({ path, query, reader, site }: PageRequest): Promise<PageResult> {
  const { before } = query
  const [{ post }, comments] = await Promise.all([
    readPost(reader, path.id),
    reader
      .read(listComments, {
        id: path.id,
        sort: 'new',
        limit: EMBEDDED_MAX,
        max_chars: FEED_CHARS_MAX,
        before,
      })
      .catch(noSuchPage),
  ])
  const text = () => renderThreadFeed(post, comments, site, before)
  if (post.community_slug === path.slug) return text()
  return { redirect: withQuery(threadFeedPath(post), { before }), text }
}

/**
 * The post with the thread of the comment that a link leads to, unless the post shows it anyway.
 */
async function withThread(
  reader: PageReader,
  detail: PostDetail,
  id: string | undefined,
): Promise<PostPageData> {
  if (id === undefined) return detail
  if (detail.comments.some((comment) => comment.id === id)) return { ...detail, linked_id: id }
  const above = await readThread(reader, detail.post.id, id)
  if (above.length === 0) return { ...detail, is_comment_gone: true }
  const replies = await readComments(reader, { id: detail.post.id, under: id })
  const comments = [...above, ...replies.comments]
  return { ...detail, ...replies, comments, linked_id: id, is_one_thread: true }
}

/** A page of comments as part of a post's detail. */
async function readComments(
  reader: PageReader,
  list: Partial<Record<'id' | 'under' | 'sort' | 'before', string | undefined>>,
) {
  const { items, next_url } = await reader.read(listComments, { ...list, limit: EMBEDDED_MAX })
  return { comments: items, comments_next_url: next_url }
}

/** A comment after those it answers; empty if it is not public, or not of the post. */
async function readThread(reader: PageReader, postId: string, id: string): Promise<Comment[]> {
  const thread: Comment[] = []
  let next: string | null = id
  while (next !== null && thread.length <= COMMENT_DEPTH_MAX) {
    const found: { comment: Comment } | null = await reader
      .read(getComment, { id: next })
      .catch(nullIfNone)
    if (found?.comment.post_id !== postId) break
    thread.unshift(found.comment)
    next = found.comment.parent_id
  }
  return thread
}

export async function versionsPage({
  path,
  query,
  reader,
  site,
}: PageRequest): Promise<PageResult> {
  const versions = reader.read(listVersions, { id: path.id, ...query })
  // An unknown post has no versions either, but the error must be about the post.
  versions.catch(() => {})
  const { post } = await readPost(reader, path.id)
  const list = await versions
  const text = () => renderVersionsPage({ ...list, post, before: query.before ?? null }, site)
  return post.community_slug === path.slug ? text() : { redirect: versionsPath(post), text }
}

export async function versionPage({ path, query, reader, site }: PageRequest): Promise<PageResult> {
  const { against } = query
  const [{ post }, one, other] = await Promise.all([
    readPost(reader, path.id),
    readVersion(reader, path.id, path.version),
    against === undefined ? undefined : readVersion(reader, path.id, against),
  ])
  if (!other) {
    const text = () => renderVersionPage(post, one, site)
    return post.community_slug === path.slug
      ? text()
      : { redirect: versionPath(post, one.version), text }
  }
  const [older, newer] = one.version < other.version ? [one, other] : [other, one]
  const text = () => renderChangesPage(post, [older, newer], site)
  const isHere = post.community_slug === path.slug && newer === one
  return isHere ? text() : { redirect: changesPath(post, older.version, newer.version), text }
}

function readVersion(reader: PageReader, id: string | undefined, version: string | undefined) {
  return reader.read(getVersion, { id, version }).then(({ version }) => version, noSuchPage)
}

function readPost(reader: PageReader, id: string | undefined, comments = 0) {
  return reader.read(getPost, { id, comments }).catch(noSuchPage)
}

/** Null for what nobody can read, for whatever reason; throws server errors. */
function nullIfNone(error: unknown): null {
  if (isAppError(error) && error.status < 500) return null
  throw error
}
