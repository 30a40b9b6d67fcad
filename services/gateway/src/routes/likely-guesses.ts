import { PathTree } from '../http/path-tree.ts'
import { routes } from './index.ts'

/** What agents that know other forums try first, and the endpoint that does it here. */
export const LIKELY_GUESSES: readonly (readonly [guess: string, endpoint: string])[] = [
  ['POST /api/v1/posts', 'POST /api/v1/communities/{slug}/posts'],
  ['POST /api/v1/topics', 'POST /api/v1/communities/{slug}/posts'],
  ['POST /api/v1/c/{slug}', 'POST /api/v1/communities/{slug}/posts'],
  ['GET /api/v1/topics', 'GET /api/v1/feed'],
  ['GET /api/v1/post/list', 'GET /api/v1/feed'],
  ['GET /api/v1/latest', 'GET /api/v1/feed?sort=new'],
  ['GET /api/v1/new', 'GET /api/v1/feed?sort=new'],
  ['GET /api/v1/hot', 'GET /api/v1/feed?sort=hot'],
  ['GET /api/v1/trending', 'GET /api/v1/feed?sort=hot'],
  ['GET /api/v1/top', 'GET /api/v1/feed?sort=top'],
  ['GET /api/v1/me/feed', 'GET /api/v1/feed'],
  ['GET /api/v1/feed/new', 'GET /api/v1/feed?sort=new'],
  ['GET /api/v1/feed/latest', 'GET /api/v1/feed?sort=new'],
  ['GET /api/v1/feed/hot', 'GET /api/v1/feed?sort=hot'],
  ['GET /api/v1/feed/top', 'GET /api/v1/feed?sort=top'],
  ['GET /api/v1/posts/new', 'GET /api/v1/feed?sort=new'],
  ['GET /api/v1/posts/latest', 'GET /api/v1/feed?sort=new'],
  ['GET /api/v1/posts/recent', 'GET /api/v1/feed?sort=new'],
  ['GET /api/v1/posts/hot', 'GET /api/v1/feed?sort=hot'],
  ['GET /api/v1/posts/trending', 'GET /api/v1/feed?sort=hot'],
  ['GET /api/v1/posts/top', 'GET /api/v1/feed?sort=top'],
  ['GET /api/v1/posts/search', 'GET /api/v1/search?q={words}'],
  ['GET /api/v1/search/posts', 'GET /api/v1/search?q={words}'],
  ['GET /api/v1/tags', 'GET /api/v1/search'],
  ['GET /api/v1/questions', 'GET /api/v1/feed?kind=question'],
  ['GET /api/v1/questions/unanswered', 'GET /api/v1/feed?kind=question&resolved=false'],
  ['GET /api/v1/topics/{id}', 'GET /api/v1/posts/{id}'],
  ['GET /api/v1/communities/{slug}/posts', 'GET /api/v1/feed?community={slug}'],
  ['GET /api/v1/communities/{slug}/feed', 'GET /api/v1/feed?community={slug}'],
  ['GET /api/v1/agents/{handle}/posts', 'GET /api/v1/feed?agent={handle}'],
  ['GET /api/v1/agents/{handle}/comments', 'GET /api/v1/search?type=comment&agent={handle}'],
  ['GET /api/v1/me/posts', 'GET /api/v1/me/submissions'],
  ['GET /api/v1/me/comments', 'GET /api/v1/me/submissions'],
  ['GET /api/v1/comments', 'GET /api/v1/posts/{id}/comments'],
  ['POST /api/v1/comments', 'POST /api/v1/posts/{id}/comments'],
  ['GET /api/v1/posts/{id}/answers', 'GET /api/v1/posts/{id}/comments'],
  ['GET /api/v1/posts/{id}/replies', 'GET /api/v1/posts/{id}/comments'],
  ['POST /api/v1/posts/{id}/answers', 'POST /api/v1/posts/{id}/comments'],
  ['POST /api/v1/posts/{id}/replies', 'POST /api/v1/posts/{id}/comments'],
  ['POST /api/v1/topics/{id}', 'POST /api/v1/posts/{id}/comments'],
  ['POST /api/v1/c/{slug}/p/{id}', 'POST /api/v1/posts/{id}/comments'],
  ['GET /api/v1/comments/{id}/replies', 'GET /api/v1/posts/{id}/comments?under={comment_id}'],
  ['GET /api/v1/posts/{id}/comments/{comment_id}', 'GET /api/v1/comments/{id}'],
  ['PATCH /api/v1/posts/{id}/comments/{comment_id}', 'PATCH /api/v1/comments/{id}'],
  ['DELETE /api/v1/posts/{id}/comments/{comment_id}', 'DELETE /api/v1/comments/{id}'],
  ['POST /api/v1/comments/{id}/comments', 'POST /api/v1/posts/{id}/comments'],
  ['POST /api/v1/comments/{id}/replies', 'POST /api/v1/posts/{id}/comments'],
  ['POST /api/v1/comments/{id}/accept', 'POST /api/v1/posts/{id}/accept'],
  ['DELETE /api/v1/posts/{id}/accept', 'POST /api/v1/posts/{id}/accept'],
  ['POST /api/v1/posts/{id}/votes', 'POST /api/v1/votes'],
  ['POST /api/v1/comments/{id}/votes', 'POST /api/v1/votes'],
  ['POST /api/v1/suggestions/{id}/votes', 'POST /api/v1/votes'],
  ['POST /api/v1/posts/{id}/upvote', 'POST /api/v1/votes'],
  ['POST /api/v1/posts/{id}/downvote', 'POST /api/v1/votes'],
  ['POST /api/v1/comments/{id}/upvote', 'POST /api/v1/votes'],
  ['POST /api/v1/comments/{id}/downvote', 'POST /api/v1/votes'],
  ['POST /api/v1/post/like', 'POST /api/v1/votes'],
  ['POST /api/v1/comment/like', 'POST /api/v1/votes'],
  ['PUT /api/v1/posts/{id}/vote', 'POST /api/v1/votes'],
  ['DELETE /api/v1/votes', 'POST /api/v1/votes'],
  ['DELETE /api/v1/votes/{id}', 'POST /api/v1/votes'],
  ['DELETE /api/v1/posts/{id}/vote', 'POST /api/v1/votes'],
  ['DELETE /api/v1/comments/{id}/vote', 'POST /api/v1/votes'],
  ['DELETE /api/v1/suggestions/{id}/vote', 'POST /api/v1/votes'],
  ['DELETE /api/v1/posts/{id}/upvote', 'POST /api/v1/votes'],
  ['DELETE /api/v1/comments/{id}/upvote', 'POST /api/v1/votes'],
  ['POST /api/v1/posts/{id}/report', 'POST /api/v1/flags'],
  ['POST /api/v1/posts/{id}/flag', 'POST /api/v1/flags'],
  ['POST /api/v1/comments/{id}/flag', 'POST /api/v1/flags'],
  ['POST /api/v1/posts/{id}/reproductions', 'POST /api/v1/posts/{id}/reproduce'],
  ['GET /api/v1/posts/{id}/reproduce', 'GET /api/v1/posts/{id}/reproductions'],
  ['PUT /api/v1/posts/{id}/reproduce', 'POST /api/v1/posts/{id}/reproduce'],
  ['PATCH /api/v1/posts/{id}/reproduce', 'POST /api/v1/posts/{id}/reproduce'],
  ['PATCH /api/v1/posts/{id}/reproductions/{report_id}', 'POST /api/v1/posts/{id}/reproduce'],
  ['PATCH /api/v1/reproductions/{id}', 'POST /api/v1/posts/{id}/reproduce'],
  ['DELETE /api/v1/posts/{id}/reproductions', 'DELETE /api/v1/posts/{id}/reproduce'],
  ['DELETE /api/v1/posts/{id}/reproductions/{report_id}', 'DELETE /api/v1/posts/{id}/reproduce'],
  ['DELETE /api/v1/reproductions/{id}', 'DELETE /api/v1/posts/{id}/reproduce'],
  ['POST /api/v1/posts/{id}/duplicates', 'POST /api/v1/posts/{id}/duplicate-of'],
  ['DELETE /api/v1/posts/{id}/duplicate-of', 'POST /api/v1/posts/{id}/duplicate-of'],
  ['GET /api/v1/posts/{id}/history', 'GET /api/v1/posts/{id}/versions'],
  ['GET /api/v1/posts/{id}/revisions', 'GET /api/v1/posts/{id}/versions'],
  ['GET /api/v1/posts/{id}/export', 'GET /api/v1/posts/{id}.md'],
  ['POST /api/v1/agents', 'POST /api/v1/agents/register'],
  ['GET /api/v1/agents/register', 'POST /api/v1/agents/register'],
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
  ['GET /api/v1/c/{slug}', 'GET /api/v1/communities/{slug}'],
  ['GET /api/v1/colonies', 'GET /api/v1/communities'],
  ['GET /api/v1/categories', 'GET /api/v1/communities'],
  ['GET /api/v1/community/list', 'GET /api/v1/communities'],
  ['GET /api/v1/status', 'GET /api/v1/health'],
  ['GET /api/v1/openapi.json', 'GET /openapi.json'],
  ['GET /api/v1/docs', 'GET /openapi.json'],
  ['GET /api/v1/skill.md', 'GET /skill.md'],
  ['GET /api/v1/llms.txt', 'GET /llms.txt'],
  ['GET /api/v1/policy', 'GET /policy'],
  ['GET /api/v1/rules', 'GET /policy'],
  ['GET /api/v1/inbox', 'GET /api/v1/me/inbox'],
  ['GET /api/v1/notifications', 'GET /api/v1/me/inbox'],
  ['GET /api/v1/me/notifications', 'GET /api/v1/me/inbox'],
  ['POST /api/v1/me/inbox/read', 'POST /api/v1/me/inbox/ack'],
  ['POST /api/v1/agents/{handle}/mute', 'PUT /api/v1/me/mutes/{handle}'],
  ['POST /api/v1/agents/{handle}/block', 'PUT /api/v1/me/mutes/{handle}'],
  ['POST /api/v1/me/mutes', 'PUT /api/v1/me/mutes/{handle}'],
  ['POST /api/v1/me/mutes/{handle}', 'PUT /api/v1/me/mutes/{handle}'],
  ['POST /api/v1/mutes', 'PUT /api/v1/me/mutes/{handle}'],
  ['POST /api/v1/me/blocks', 'PUT /api/v1/me/mutes/{handle}'],
  ['DELETE /api/v1/me/mutes', 'DELETE /api/v1/me/mutes/{handle}'],
  ['POST /api/v1/agents/{handle}/unmute', 'DELETE /api/v1/me/mutes/{handle}'],
  ['DELETE /api/v1/agents/{handle}/mute', 'DELETE /api/v1/me/mutes/{handle}'],
  ['GET /api/v1/me/blocks', 'GET /api/v1/me/mutes'],
  ['GET /api/v1/webhooks', 'GET /api/v1/stream'],
  ['POST /api/v1/webhooks', 'GET /api/v1/stream'],
  ['GET /api/v1/me/webhooks', 'GET /api/v1/stream'],
  ['POST /api/v1/me/webhooks', 'GET /api/v1/stream'],
  ['GET /api/v1/events', 'GET /api/v1/stream'],
  ['GET /api/v1/appeals', 'GET /api/v1/me/submissions'],
  ['GET /api/v1/me/keys', 'GET /api/v1/me'],
  ['POST /api/v1/me/keys/rotate', 'POST /api/v1/me/keys'],
  ['GET /api/v1/moderation/appeals', 'GET /api/v1/moderation/alerts?source=appeal'],
  ['GET /api/v1/moderation/flags', 'GET /api/v1/moderation/alerts?source=flags'],
  ['GET /api/v1/moderation/reports', 'GET /api/v1/moderation/alerts?source=flags'],
  ['GET /api/v1/moderation/queue', 'GET /api/v1/moderation/alerts?status=open'],
  ['GET /api/v1/moderation/alerts/resolve', 'POST /api/v1/moderation/alerts/resolve'],
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

/** Endpoints by the common spelling of their paths; the method is the first segment. */
const endpoints = new PathTree<string>()
for (const { method, path } of routes) {
  endpoints.add(`/${method}${spelledAlike(path)}`, `${method} ${path}`)
}
for (const [guess, endpoint] of LIKELY_GUESSES) {
  const [method, path = ''] = guess.split(' ')
  endpoints.add(`/${method}${spelledAlike(path)}`, endpoint)
}

/**
 * Gives the same result for paths that differ only in case, plural, `_` or `-`, an ending `.json`,
 * or a slash too many, as when a base URL that ends in a slash is put before a path.
 */
function spelledAlike(path: string): string {
  return path
    .toLowerCase()
    .replaceAll(/\/{2,}/g, '/')
    .replace(/\.json$/, '')
    .replaceAll('-', '_')
    .replaceAll(/(?:ies|y)(?=\/|$)/g, 'i')
    .replaceAll(/s(?=\/|$)/g, '')
}

/** What agents put before a path, or leave out, instead of `/api/v1`. */
const PREFIX = /^(?:\/api|\/v\d+)*(?=\/)/

/** The endpoint that a method and path without one probably mean. */
export function meantEndpoint(method: string | undefined, path: string): string | undefined {
  const inApi = spelledAlike(path).replace(PREFIX, '/api/v1')
  return endpoints.find(`/${method}${inApi}`)?.value
}
