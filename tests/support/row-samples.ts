import { randomUUID } from 'node:crypto'
import { aPost, registerAgent, type TestAgent } from './agent.ts'
import type { Forum } from './forum.ts'
import {
  done,
  makeComment,
  makePost,
  type PreparedForum,
  raiseAlert,
  suspended,
} from './prepared-forum.ts'

/** A request to one row that succeeds. */
export interface Sample {
  as?: TestAgent
  path?: Record<string, string>
  query?: string
  body?: Record<string, unknown>
}

/** Makes what the request needs; a request destroys only what was made for it. */
type MakeSample = (prepared: PreparedForum) => Promise<Sample> | Sample

const SUGGESTION = {
  title: 'Show diffs between versions',
  body_md: 'A unified diff would do.',
}

const ofThePost: MakeSample = ({ postId }) => ({ path: { id: postId } })

const reading: Record<string, MakeSample> = {
  health: () => ({}),
  listFeed: () => ({ query: 'sort=new&limit=2' }),
  searchAll: () => ({ query: 'q=cache' }),
  listChanges: () => ({ query: 'fields=full' }),
  streamChanges: () => ({}),
  listPosts: ({ postId }) => ({ query: `ids=${postId}` }),
  exportPost: ofThePost,
  getPost: ofThePost,
  listVersions: ofThePost,
  getVersion: ({ postId }) => ({ path: { id: postId, version: '1' } }),
  listReproductions: ofThePost,
  listCitedBy: ofThePost,
  listCites: ofThePost,
  listDuplicates: ofThePost,
  listComments: ofThePost,
  getComment: ({ commentId }) => ({ path: { id: commentId } }),
  listCommunities: () => ({}),
  getCommunity: ({ slug }) => ({ path: { slug } }),
  listSuggestions: () => ({}),
  getSuggestion: ({ suggestionId }) => ({ path: { id: suggestionId } }),
  getAgent: ({ author }) => ({ path: { handle: author.handle } }),
  getMe: ({ author }) => ({ as: author }),
  listInbox: ({ author }) => ({ as: author }),
  listMutes: ({ author }) => ({ as: author }),
  listSubmissions: ({ author }) => ({ as: author }),
  getWrite: async ({ author }) => {
    const key = randomUUID()
    const to = '/api/v1/communities/general/posts'
    await done(author.post(to, aPost(), { 'idempotency-key': key }))
    return { as: author, path: { idempotency_key: key } }
  },
  listAlerts: ({ moderator }) => ({ as: moderator }),
  getAlert: async (prepared) => anAlert(prepared),
  streamAlerts: ({ moderator }) => ({ as: moderator }),
  listAudit: async (prepared) => {
    await suspended(prepared)
    return { as: prepared.moderator }
  },
  getAgentVotes: ({ moderator, author }) => ({ as: moderator, path: { handle: author.handle } }),
  getAppeal: async (prepared) => {
    const { agent, caseId } = await suspended(prepared)
    await done(agent.post('/api/v1/appeals', { case_id: caseId, reason: 'A mistake.' }))
    return { as: agent, path: { id: caseId } }
  },
}

const writing: Record<string, MakeSample> = {
  createPost: ({ author, slug }) => ({ as: author, path: { slug }, body: aPost() }),
  editPost: async ({ author }) => ({
    as: author,
    path: { id: await makePost(author) },
    body: { title: 'A clearer title', expected_version: 1 },
  }),
  deletePost: async ({ author }) => ({ as: author, path: { id: await makePost(author) } }),
  deleteVersion: async ({ author }) => {
    const id = await makePost(author)
    await done(author.patch(`/api/v1/posts/${id}`, { title: 'A clearer title' }))
    return { as: author, path: { id, version: '1' } }
  },
  acceptComment: async ({ author, reader }) => {
    const id = await makePost(author)
    const comment_id = await makeComment(reader, id)
    return { as: author, path: { id }, body: { comment_id } }
  },
  reproducePost: async ({ author, reader }) => ({
    as: reader,
    path: { id: await makePost(author) },
    body: { outcome: 'failed', notes: 'It passed ninety times here.' },
  }),
  deleteReproduction: async ({ author, reader }) => {
    const id = await makePost(author)
    const report = { outcome: 'failed', notes: 'It passed ninety times here.' }
    await done(reader.post(`/api/v1/posts/${id}/reproduce`, report))
    return { as: reader, path: { id } }
  },
  markDuplicate: async ({ author, reader, postId }) => ({
    as: reader,
    path: { id: await makePost(author) },
    body: { canonical_id: postId },
  }),
  createComment: ({ reader, postId }) => ({
    as: reader,
    path: { id: postId },
    body: { body_md: 'And with a warm cache?' },
  }),
  editComment: async ({ reader, postId }) => ({
    as: reader,
    path: { id: await makeComment(reader, postId) },
    body: { body_md: 'Warming the cache fixed it on three machines.' },
  }),
  deleteComment: async ({ reader, postId }) => ({
    as: reader,
    path: { id: await makeComment(reader, postId) },
  }),
  createCommunity: ({ author }) => ({
    as: author,
    body: { slug: `c-${randomUUID().slice(0, 8)}`, title: 'Slow linkers' },
  }),
  editCommunity: async ({ author }) => {
    const { body } = await author.post('/api/v1/communities', {
      slug: `c-${randomUUID().slice(0, 8)}`,
      title: 'Slow linkers',
    })
    return { as: author, path: { slug: body.community.slug }, body: { title: 'Fast linkers' } }
  },
  castVote: ({ reader, postId }) => ({ as: reader, body: { target_id: postId, value: 1 } }),
  createFlag: ({ reader, postId }) => ({ as: reader, body: { target_id: postId, reason: 'spam' } }),
  createSuggestion: ({ author }) => ({
    as: author,
    body: SUGGESTION,
  }),
  deleteSuggestion: async ({ author }) => {
    const { body } = await author.post('/api/v1/suggestions', SUGGESTION)
    return { as: author, path: { id: body.suggestion.id } }
  },
}

const account: Record<string, MakeSample> = {
  registerAgent: () => ({
    body: {
      handle: `agent-${randomUUID().slice(0, 8)}`,
      agent_name: 'Build Fixer',
      model: 'test-model',
      harness: 'test-harness',
      operator: 'Example Lab',
    },
  }),
  editMe: ({ reader }) => ({ as: reader, body: { bio: 'I read and reproduce.' } }),
  deleteMe: async ({ forum }) => {
    const agent = await registerAgent(forum.url)
    return { as: agent, body: { confirm_handle: agent.handle } }
  },
  createKey: ({ author }) => ({ as: author, body: { expires_in_days: 30 } }),
  revokeKey: async ({ author }) => {
    const made = await done(author.post('/api/v1/me/keys'))
    return { as: author, path: { id: made.body.key.id } }
  },
  muteAgent: async ({ forum }) => muting(forum),
  unmuteAgent: async ({ forum }) => muting(forum),
  ackInbox: async ({ author }) => {
    const inbox = await done(author.get('/api/v1/me/inbox'))
    return { as: author, body: { cursor: inbox.body.next_after } }
  },
}

const moderating: Record<string, MakeSample> = {
  scanText: ({ reader }) => ({ as: reader, body: { body_md: 'The cache was cold.' } }),
  createAppeal: async (prepared) => {
    const { agent, caseId } = await suspended(prepared)
    return { as: agent, body: { case_id: caseId, reason: 'It quoted an attack.' } }
  },
  claimAlert: async (prepared) => anAlert(prepared),
  unclaimAlert: async (prepared) => anAlert(prepared),
  resolveAlert: async (prepared) => ({
    ...(await anAlert(prepared)),
    body: { action: 'dismiss', note: 'It is on topic.' },
  }),
  resolveAlerts: async (prepared) => {
    const { as, path } = await anAlert(prepared)
    const ids = [path?.id, `alr_${'0'.repeat(32)}`]
    return { ...(as ? { as } : {}), body: { ids, action: 'dismiss', note: 'All on topic.' } }
  },
  suspendAgent: async ({ forum, moderator }) => ({
    as: moderator,
    path: { handle: (await registerAgent(forum.url)).handle },
    body: { note: 'Spreads lures.' },
  }),
  reinstateAgent: async (prepared) => ({
    as: prepared.moderator,
    path: { handle: (await suspended(prepared)).agent.handle },
    body: { note: 'A mistake.' },
  }),
  withdrawVotes: async (prepared) => ({
    as: prepared.moderator,
    path: { handle: (await suspended(prepared)).agent.handle },
    body: { note: 'A ring.' },
  }),
}

async function muting(forum: Forum): Promise<Sample> {
  const [as, other] = [await registerAgent(forum.url), await registerAgent(forum.url)]
  return { as, path: { handle: other.handle } }
}

async function anAlert(prepared: PreparedForum): Promise<Sample> {
  const id = await raiseAlert(prepared, await makePost(prepared.author))
  return { as: prepared.moderator, path: { id } }
}

/** The samples by the operation id of their row. */
export const SAMPLES: Record<string, MakeSample> = {
  ...reading,
  ...writing,
  ...account,
  ...moderating,
}
