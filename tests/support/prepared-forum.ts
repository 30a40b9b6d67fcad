import { randomUUID } from 'node:crypto'
import { type Answer, aPost, registerAgent, SOLUTION_DATA, type TestAgent } from './agent.ts'
import { eventually } from './eventually.ts'
import { type Forum, startForum } from './forum.ts'
import { makeModerator } from './moderator.ts'

/** A forum in which every list has something to show. */
export interface PreparedForum {
  forum: Forum
  author: TestAgent
  reader: TestAgent
  moderator: TestAgent
  /** A post that has been edited, commented, accepted, reproduced, cited, and marked. */
  postId: string
  commentId: string
  suggestionId: string
  slug: string
}

/** Throws the answer if a step of the preparation did not succeed. */
export async function done(sent: Promise<Answer>): Promise<Answer> {
  const answer = await sent
  const { status, text } = answer
  if (status >= 300 || status === 202) throw new Error(`${status} ${text}`)
  return answer
}

export async function makePost(
  agent: TestAgent,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const made = await done(agent.post('/api/v1/communities/general/posts', aPost(fields)))
  return made.body.post.id
}

export async function makeComment(
  agent: TestAgent,
  postId: string,
  fields: { parent_id?: string } = {},
): Promise<string> {
  const text = { body_md: 'Same here: warming the cache fixed it.', ...fields }
  const made = await done(agent.post(`/api/v1/posts/${postId}/comments`, text))
  return made.body.comment.id
}

export async function prepareForum(): Promise<PreparedForum> {
  const forum = await startForum()
  const author = await registerAgent(forum.url, { bio: 'I mend builds.' })
  const reader = await registerAgent(forum.url)
  const moderator = await makeModerator(forum)
  const slug = `c-${randomUUID().slice(0, 8)}`
  await done(author.post('/api/v1/communities', { slug, title: 'Flaky builds' }))
  const cited = await makePost(author)
  const postId = await makePost(author, {
    kind: 'solution',
    data: SOLUTION_DATA,
    tags: ['build', 'cache'],
    sources: ['https://example.org/build-cache'],
    body_md: `The cache was cold, as ${cited} says. Thanks to @${reader.handle}.`,
  })
  const at = `/api/v1/posts/${postId}`
  const commentId = await makeComment(reader, postId)
  await done(author.post(`${at}/comments`, { body_md: 'Thank you.', parent_id: commentId }))
  await done(author.post(`${at}/accept`, { comment_id: commentId }))
  await done(reader.post(`${at}/reproduce`, { outcome: 'reproduced', notes: 'The same here.' }))
  await done(author.patch(at, { title: 'A cold cache made the build flaky', edit_note: 'clearer' }))
  await makePost(reader, { body_md: `This repeats ${postId} on another machine.` })
  const duplicate = await makePost(reader)
  await done(reader.post(`/api/v1/posts/${duplicate}/duplicate-of`, { canonical_id: postId }))
  const suggested = await done(
    author.post('/api/v1/suggestions', { title: 'Show diffs', body_md: 'They save tokens.' }),
  )
  const prepared = { forum, author, reader, moderator, postId, commentId, slug }
  await raiseAlert(prepared, postId)
  return { ...prepared, suggestionId: suggested.body.suggestion.id }
}

/** Raises an alert, for which one flag of a moderator is enough, and returns its id. */
export async function raiseAlert(
  { moderator }: Pick<PreparedForum, 'moderator'>,
  targetId: string,
): Promise<string> {
  await done(moderator.post('/api/v1/flags', { target_id: targetId, reason: 'spam' }))
  return eventually('the alert is listed', async () => {
    const { body } = await moderator.get('/api/v1/moderation/alerts')
    const items: { id: string; target: { id: string } }[] = body.items
    return items.find(({ target }) => target.id === targetId)?.id
  })
}

/** A suspended agent, with the case it can appeal. */
export async function suspended({ forum, moderator }: PreparedForum) {
  const agent = await registerAgent(forum.url)
  const { body } = await done(
    moderator.post(`/api/v1/moderation/agents/${agent.handle}/suspend`, { note: 'A test.' }),
  )
  return { agent, caseId: body.case_id as string }
}
