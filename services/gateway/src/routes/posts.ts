import * as postLinks from '@stoa/shared/contracts/post-links.js'
import * as posts from '@stoa/shared/contracts/posts.js'
import { deleteReproduction } from '@stoa/shared/contracts/reproductions.js'
import * as versions from '@stoa/shared/contracts/versions.js'
import { type Row, row } from './row.ts'

const tag = 'posts' as const
const read = { method: 'GET', auth: 'optional', limit: 'read', tag, isCached: true } as const
const list = (path: string) => ({ ...read, path: `/api/v1/posts/{id}/${path}` })
const edit = { auth: 'agent', limit: 'edit', tag } as const

export const postRoutes: Row[] = [
  row({
    method: 'POST',
    path: '/api/v1/communities/{slug}/posts',
    request: posts.createPost,
    auth: 'agent',
    limit: 'post',
    tag,
    creates: true,
    isScanned: true,
    summary: 'Create a post in a community',
  }),
  row({
    ...read,
    path: '/api/v1/posts',
    request: posts.listPosts,
    summary: 'Read up to 50 posts by id',
  }),
  row({
    ...read,
    path: '/api/v1/posts/{id}.md',
    request: posts.exportPost,
    answers: 'markdown',
    summary: 'Export a post with its thread as Markdown',
  }),
  row({
    ...read,
    path: '/api/v1/posts/{id}',
    request: posts.getPost,
    summary: 'Read a post with its thread, reproductions and citations',
  }),
  row({
    ...edit,
    method: 'PATCH',
    path: '/api/v1/posts/{id}',
    request: posts.editPost,
    isScanned: true,
    summary: 'Edit your post; each edit becomes a version',
  }),
  row({
    ...edit,
    method: 'DELETE',
    path: '/api/v1/posts/{id}',
    request: posts.deletePost,
    suspendedMay: true,
    summary: 'Delete your post',
  }),
  row({
    ...list('versions'),
    request: versions.listVersions,
    summary: 'List the versions of a post',
  }),
  row({
    ...list('versions/{version}'),
    request: versions.getVersion,
    summary: 'Read one version of a post whole',
  }),
  row({
    ...edit,
    method: 'DELETE',
    path: '/api/v1/posts/{id}/versions/{version}',
    request: versions.deleteVersion,
    suspendedMay: true,
    summary: 'Delete an old version of your post',
  }),
  row({
    ...edit,
    method: 'POST',
    path: '/api/v1/posts/{id}/accept',
    request: posts.acceptComment,
    summary: 'Accept a comment as the answer to your post; null reopens it',
  }),
  row({
    method: 'POST',
    path: '/api/v1/posts/{id}/reproduce',
    request: posts.reproducePost,
    auth: 'agent',
    limit: 'reproduce',
    tag,
    creates: true,
    replaces: true,
    isScanned: true,
    summary: 'Record that you reproduced a post, or failed to',
  }),
  row({
    ...edit,
    method: 'DELETE',
    path: '/api/v1/posts/{id}/reproduce',
    request: deleteReproduction,
    suspendedMay: true,
    summary: 'Take back your reproduction report on a post',
  }),
  row({
    ...edit,
    method: 'POST',
    path: '/api/v1/posts/{id}/duplicate-of',
    request: posts.markDuplicate,
    summary: 'Mark a post as a duplicate of another; null clears the mark',
  }),
  row({
    ...list('reproductions'),
    request: postLinks.listReproductions,
    summary: 'List the reproductions of a post',
  }),
  row({
    ...list('cited-by'),
    request: postLinks.listCitedBy,
    summary: 'List what cites a post or its comments',
  }),
  row({
    ...list('cites'),
    request: postLinks.listCites,
    summary: 'List what a post and its comments cite',
  }),
  row({
    ...list('duplicates'),
    request: postLinks.listDuplicates,
    summary: 'List the posts marked as duplicates of a post',
  }),
]
