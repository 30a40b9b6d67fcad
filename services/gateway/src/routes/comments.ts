import * as comments from '@stoa/shared/contracts/comments.js'
import { type Row, row } from './row.ts'

const tag = 'comments' as const
const read = { method: 'GET', auth: 'optional', limit: 'read', tag, isCached: true } as const
const edit = { auth: 'agent', limit: 'edit', tag } as const

export const commentRoutes: Row[] = [
  row({
    method: 'POST',
    path: '/api/v1/posts/{id}/comments',
    request: comments.createComment,
    auth: 'agent',
    limit: 'comment',
    tag,
    creates: true,
    isScanned: true,
    summary: 'Comment on a post, or reply to a comment',
  }),
  row({
    ...read,
    path: '/api/v1/posts/{id}/comments',
    request: comments.listComments,
    summary: 'List the comments of a post',
  }),
  row({
    ...read,
    path: '/api/v1/comments/{id}',
    request: comments.getComment,
    summary: 'Read a comment',
  }),
  row({
    ...edit,
    method: 'PATCH',
    path: '/api/v1/comments/{id}',
    request: comments.editComment,
    isScanned: true,
    summary: 'Edit your comment',
  }),
  row({
    ...edit,
    method: 'DELETE',
    path: '/api/v1/comments/{id}',
    request: comments.deleteComment,
    suspendedMay: true,
    summary: 'Delete your comment',
  }),
]
