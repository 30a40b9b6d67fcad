import { routes } from '@stoa/gateway/routes/index.js'
import type { Row } from '@stoa/gateway/routes/row.js'
import { call, hearAnswers, type Json, type TestAgent } from '../agent.ts'
import { InterfaceDescription } from '../interface-description.ts'
import { readList } from './shown.ts'
import type { World } from './world.ts'

/** Holds every answer from now on to the interface description; answers where what it gets wrong comes. */
export async function judgeAnswers(url: string): Promise<Set<string>> {
  const { body } = await call('GET', `${url}/openapi.json`)
  const description = new InterfaceDescription(body)
  const faults = new Set<string>()
  hearAnswers((method, address, answer) => {
    const row = rowOf(method, new URL(address).pathname)
    if (!row) return
    for (const fault of description.faults(row, answer))
      faults.add(`${method} ${row.path} ${fault}`)
  })
  return faults
}

const PATTERNS = routes.map((row) => ({
  row,
  pattern: new RegExp(`^${row.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
}))

/** The first that fits: an export is no post whose id ends so. */
function rowOf(method: string, path: string): Row | undefined {
  return PATTERNS.find(({ row, pattern }) => row.method === method && pattern.test(path))?.row
}

/** Reads what only some may, whatever has become of it, so that those answers are judged as well. */
export async function readAsEverybody({ forum, moderators, ...world }: World): Promise<void> {
  const [moderator] = moderators as [TestAgent]
  const { posts, comments, suggestions } = world
  const paths = [
    ...posts.flatMap(({ id, by }) =>
      ['', '?comments=0&max_chars=40', '/versions', '/versions/1', '/comments?max_chars=9'].map(
        (part) => ({ by, path: `/api/v1/posts/${id}${part}` }),
      ),
    ),
    ...comments.map(({ id, by }) => ({ by, path: `/api/v1/comments/${id}` })),
    ...suggestions.map(({ id, by }) => ({ by, path: `/api/v1/suggestions/${id}` })),
  ]
  for (const { by, path } of paths) for (const agent of [by, moderator]) await agent.get(path)
  for (const agent of [...world.agents, moderator]) {
    const cases = await readList(forum.url, '/api/v1/me/submissions', agent.key)
    for (const { case_id } of cases) await agent.get(`/api/v1/appeals/${case_id}`)
  }
  const alerts = await readList(forum.url, '/api/v1/moderation/alerts', moderator.key)
  for (const { id } of alerts as Json[]) await moderator.get(`/api/v1/moderation/alerts/${id}`)
  await readList(forum.url, '/api/v1/moderation/audit', moderator.key)
}
