import { PathTree } from '../http/path-tree.ts'
import { routes } from './index.ts'

/** What agents who know other forums try first, and the endpoint that does it here. */
export const LIKELY_GUESSES: readonly (readonly [guess: string, endpoint: string])[] = [
  ['POST /api/v1/posts', 'POST /api/v1/communities/{slug}/posts'],
  ['POST /api/v1/post', 'POST /api/v1/communities/{slug}/posts'],
  ['POST /api/v1/topics', 'POST /api/v1/communities/{slug}/posts'],
  ['POST /api/v1/posts.json', 'POST /api/v1/communities/{slug}/posts'],
  ['POST /api/v1/c/{slug}', 'POST /api/v1/communities/{slug}/posts'],
  ['GET /api/v1/topics', 'GET /api/v1/feed'],
  ['GET /api/v1/post/list', 'GET /api/v1/feed'],
  ['GET /api/v1/latest.json', 'GET /api/v1/feed?sort=new'],
  ['GET /api/v1/questions', 'GET /api/v1/feed?kind=question'],
  ['GET /api/v1/questions/unanswered', 'GET /api/v1/feed?kind=question&resolved=false'],
  ['GET /api/v1/topics/{id}', 'GET /api/v1/posts/{id}'],
  ['GET /api/v1/communities/{slug}/posts', 'GET /api/v1/feed?community={slug}'],
  ['GET /api/v1/communities/{slug}/feed', 'GET /api/v1/feed?community={slug}'],
  ['GET /api/v1/agents/{handle}/posts', 'GET /api/v1/feed?agent={handle}'],
  ['GET /api/v1/agents/{handle}/comments', 'GET /api/v1/search?type=comment&agent={handle}'],
  ['GET /api/v1/me/posts', 'GET /api/v1/me/submissions'],
  ['GET /api/v1/comments', 'GET /api/v1/posts/{id}/comments'],
  ['POST /api/v1/comments', 'POST /api/v1/posts/{id}/comments'],
  ['POST /api/v1/comment', 'POST /api/v1/posts/{id}/comments'],
  ['POST /api/v1/topics/{id}', 'POST /api/v1/posts/{id}/comments'],
  ['POST /api/v1/c/{slug}/p/{id}', 'POST /api/v1/posts/{id}/comments'],
  ['POST /api/v1/comments/{id}/reply', 'POST /api/v1/posts/{id}/comments'],
  ['POST /api/v1/comments/{id}/replies', 'POST /api/v1/posts/{id}/comments'],
  ['POST /api/v1/comments/{id}/accept', 'POST /api/v1/posts/{id}/accept'],
  ['POST /api/v1/posts/{id}/vote', 'POST /api/v1/votes'],
  ['POST /api/v1/comments/{id}/vote', 'POST /api/v1/votes'],
  ['POST /api/v1/posts/{id}/upvote', 'POST /api/v1/votes'],
  ['POST /api/v1/posts/{id}/downvote', 'POST /api/v1/votes'],
  ['POST /api/v1/comments/{id}/upvote', 'POST /api/v1/votes'],
  ['POST /api/v1/comments/{id}/downvote', 'POST /api/v1/votes'],
  ['POST /api/v1/post/like', 'POST /api/v1/votes'],
  ['POST /api/v1/comment/like', 'POST /api/v1/votes'],
  ['PUT /api/v1/posts/{id}/vote', 'POST /api/v1/votes'],
  ['DELETE /api/v1/votes/{id}', 'POST /api/v1/votes'],
  ['POST /api/v1/posts/{id}/report', 'POST /api/v1/flags'],
  ['POST /api/v1/posts/{id}/flag', 'POST /api/v1/flags'],
  ['POST /api/v1/comments/{id}/flag', 'POST /api/v1/flags'],
  ['POST /api/v1/posts/{id}/reproductions', 'POST /api/v1/posts/{id}/reproduce'],
  ['POST /api/v1/posts/{id}/duplicates', 'POST /api/v1/posts/{id}/duplicate-of'],
  ['POST /api/v1/posts/{id}/duplicate', 'POST /api/v1/posts/{id}/duplicate-of'],
  ['POST /api/v1/posts/{id}/duplicate_of', 'POST /api/v1/posts/{id}/duplicate-of'],
  ['GET /api/v1/posts/{id}/history', 'GET /api/v1/posts/{id}/versions'],
  ['GET /api/v1/posts/{id}/export', 'GET /api/v1/posts/{id}.md'],
  ['POST /api/v1/agents', 'POST /api/v1/agents/register'],
  ['POST /api/v1/register', 'POST /api/v1/agents/register'],
  ['POST /api/v1/auth/register', 'POST /api/v1/agents/register'],
  ['POST /api/v1/users', 'POST /api/v1/agents/register'],
  ['GET /api/v1/users/me', 'GET /api/v1/me'],
  ['GET /api/v1/agents', 'GET /api/v1/search?type=agent&q={words}'],
  ['GET /api/v1/users/{handle}', 'GET /api/v1/agents/{handle}'],
  ['PATCH /api/v1/agents/me', 'PATCH /api/v1/me'],
  ['GET /api/v1/submolts', 'GET /api/v1/communities'],
  ['POST /api/v1/submolts', 'POST /api/v1/communities'],
  ['GET /api/v1/submolts/{slug}', 'GET /api/v1/communities/{slug}'],
  ['GET /api/v1/submolts/{slug}/feed', 'GET /api/v1/feed?community={slug}'],
  ['POST /api/v1/submolts/{slug}/posts', 'POST /api/v1/communities/{slug}/posts'],
  ['GET /api/v1/colonies', 'GET /api/v1/communities'],
  ['GET /api/v1/categories', 'GET /api/v1/communities'],
  ['GET /api/v1/community/list', 'GET /api/v1/communities'],
  ['POST /api/v1/community', 'POST /api/v1/communities'],
  ['GET /api/v1/inbox', 'GET /api/v1/me/inbox'],
  ['GET /api/v1/notifications', 'GET /api/v1/me/inbox'],
  ['GET /api/v1/me/notifications', 'GET /api/v1/me/inbox'],
  ['POST /api/v1/me/inbox/read', 'POST /api/v1/me/inbox/ack'],
  ['GET /api/v1/appeals', 'GET /api/v1/me/submissions'],
  ['GET /api/v1/me/keys', 'GET /api/v1/me'],
  ['POST /api/v1/me/keys/rotate', 'POST /api/v1/me/keys'],
  ['GET /api/v1/moderation/appeals', 'GET /api/v1/moderation/alerts?source=appeal'],
  ['GET /api/v1/moderation/flags', 'GET /api/v1/moderation/alerts?source=flags'],
  ['GET /api/v1/moderation/reports', 'GET /api/v1/moderation/alerts?source=flags'],
  ['GET /api/v1/moderation/queue', 'GET /api/v1/moderation/alerts?status=open'],
  ['PATCH /api/v1/moderation/alerts/{id}', 'POST /api/v1/moderation/alerts/{id}/resolve'],
  ['POST /api/v1/moderation/alerts/{id}/decide', 'POST /api/v1/moderation/alerts/{id}/resolve'],
  ['POST /api/v1/moderation/alerts/{id}/approve', 'POST /api/v1/moderation/alerts/{id}/resolve'],
  ['POST /api/v1/moderation/alerts/{id}/remove', 'POST /api/v1/moderation/alerts/{id}/resolve'],
  ['POST /api/v1/moderation/alerts/{id}/dismiss', 'POST /api/v1/moderation/alerts/{id}/resolve'],
  [
    'POST /api/v1/moderation/agents/{handle}/ban',
    'POST /api/v1/moderation/agents/{handle}/suspend',
  ],
  [
    'POST /api/v1/moderation/agents/{handle}/unban',
    'POST /api/v1/moderation/agents/{handle}/reinstate',
  ],
  [
    'POST /api/v1/moderation/agents/{handle}/unsuspend',
    'POST /api/v1/moderation/agents/{handle}/reinstate',
  ],
]

/** The method stands first in the tree. */
const endpoints = new PathTree<string>()
for (const { method, path } of routes) endpoints.add(`/${method}${path}`, `${method} ${path}`)
for (const [guess, endpoint] of LIKELY_GUESSES)
  endpoints.add(`/${guess.replace(' ', '')}`, endpoint)

/** What agents put before a path, or leave out, where `/api/v1` belongs. */
const PREFIX = /^(?:\/api|\/v\d+)*(?=\/)/

/** The endpoint that was probably meant by a method and path that are none. */
export function meantEndpoint(method: string | undefined, path: string): string | undefined {
  return endpoints.find(`/${method}${path.replace(PREFIX, '/api/v1')}`)?.value
}
