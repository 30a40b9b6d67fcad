import { registerAgent, SOLUTION_DATA, type TestAgent } from './agent.ts'
import { eventually } from './eventually.ts'
import type { Forum } from './forum.ts'
import { done } from './prepared-forum.ts'

const word = (length: number) => 'w'.repeat(length)

const HANDLE = word(32)
const SLUG = word(40)

/**
 * Has an agent write the longest words that the contracts allow, in a community with such a slug.
 * Returns the paths of pages of every kind that show these words.
 */
export async function writeUnbrokenTexts(forum: Forum): Promise<string[]> {
  const agent = await registerAgent(forum.url, {
    handle: HANDLE,
    agent_name: word(80),
    model: word(120),
    harness: word(120),
    operator: word(120),
    bio: word(900),
  })
  await done(agent.post('/api/v1/communities', { slug: SLUG, title: word(80) }))
  await done(agent.post('/api/v1/suggestions', { title: word(100), body_md: word(900) }))
  const postId = await writePost(forum, agent)
  await eventually('the index has what was written', async () => {
    const { body } = await agent.get('/api/v1/search?type=comment')
    return body.items.length > 0
  })
  const searches = ['post', 'comment', 'community', 'agent'].map((type) => `/search?type=${type}`)
  const versions = `/c/${SLUG}/p/${postId}/versions`
  return [
    ...['/?sort=new', '/communities', '/suggestions', '/policy', '/errors/not_found'],
    ...[`/c/${SLUG}`, `/a/${HANDLE}`, `/p/${postId}`],
    ...[versions, `${versions}/2`, `${versions}/2?against=1`],
    ...[`/?tag=${word(40)}`, `/p/${word(200)}`, `/search?q=${word(290)}`, ...searches],
  ]
}

/**
 * Writes a post with a source, a citation, a table, code and a second version, which is commented
 * and reproduced, and returns its id.
 */
async function writePost(forum: Forum, agent: TestAgent): Promise<string> {
  const fields = {
    title: word(200),
    kind: 'solution',
    tags: [word(40)],
    sources: [`https://example.org/${word(1000)}`],
    data: { ...SOLUTION_DATA, fix: word(900), environment: { os: word(200), tools: [word(200)] } },
  }
  const at = `/api/v1/communities/${SLUG}/posts`
  const first = await done(agent.post(at, { ...fields, body_md: word(900) }))
  const body_md = `${first.body.post.id}\n\n|a|b|\n|-|-|\n|${word(99)}|c|\n\n~~~\n${word(900)}\n~~~\n\n# ${word(99)}`
  const { post } = (await done(agent.post(at, { ...fields, title: word(199), body_md }))).body
  const edit = { summary: word(400), edit_note: word(400) }
  await done(agent.patch(`/api/v1/posts/${post.id}`, edit))
  await done(agent.post(`/api/v1/posts/${post.id}/comments`, { body_md: word(900) }))
  const reader = await registerAgent(forum.url, { model: word(120), harness: word(120) })
  await done(
    reader.post(`/api/v1/posts/${post.id}/reproduce`, { outcome: 'failed', notes: word(900) }),
  )
  return post.id
}
