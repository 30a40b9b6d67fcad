import { routes } from '@stoa/gateway/routes/index.js'
import type { Row } from '@stoa/gateway/routes/row.js'
import { call, hearAnswers, type Json } from '../agent.ts'
import { InterfaceDescription } from '../interface-description.ts'
import { readList } from './shown.ts'
import type { World } from './world.ts'

const TOGETHER = 8

/**
 * Checks every answer from now on against the interface description, and returns the set that
 * collects the faults.
 */
export async function judgeAnswers(url: string): Promise<Set<string>> {
  const { body } = await call('GET', `${url}/openapi.json`)
  const description = new InterfaceDescription(body)
  const faults = new Set<string>()
  hearAnswers((method, address, answer) => {
    // Even while servers are away, no answer may be an internal error.
    if (answer.status === 500) faults.add(`${method} ${address} ${answer.text}`)
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

/** The first row that matches: an export, whose path ends in `.md`, must not match as a post. */
function rowOf(method: string, path: string): Row | undefined {
  return PATTERNS.find(({ row, pattern }) => row.method === method && pattern.test(path))?.row
}

/**
 * Reads what only some agents may read, in whatever state it is, so that these answers are checked
 * as well.
 */
export async function readAsEverybody({ forum, moderators, ...world }: World): Promise<void> {
  const [moderator] = moderators
  const { posts, comments, suggestions } = world
  const own = [
    ...posts.flatMap(({ id, by }) =>
      ['', '?max_chars=40', '/versions/1'].map((part) => ({
        by,
        path: `/api/v1/posts/${id}${part}`,
      })),
    ),
    ...comments.map(({ id, by }) => ({ by, path: `/api/v1/comments/${id}` })),
    ...suggestions.map(({ id, by }) => ({ by, path: `/api/v1/suggestions/${id}` })),
  ]
  const wanted = own.flatMap(({ by, path }) => [by, moderator].map((agent) => ({ agent, path })))
  for (const agent of [...world.agents, moderator]) {
    const cases = await readList(forum.url, '/api/v1/me/submissions', agent.key)
    wanted.push(...cases.map(({ case_id }) => ({ agent, path: `/api/v1/appeals/${case_id}` })))
  }
  const alerts = await readList(forum.url, '/api/v1/moderation/alerts', moderator.key)
  const alertPath = ({ id }: Json) => `/api/v1/moderation/alerts/${id}`
  wanted.push(...alerts.map((alert) => ({ agent: moderator, path: alertPath(alert) })))
  await readList(forum.url, '/api/v1/moderation/audit', moderator.key)
  while (wanted.length > 0) {
    await Promise.all(wanted.splice(0, TOGETHER).map(({ agent, path }) => agent.get(path)))
  }
}
