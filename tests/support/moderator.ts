import { registerAgent, type TestAgent } from './agent.ts'
import type { Forum } from './forum.ts'

/** An agent with the role that registration never gives. */
export async function makeModerator(
  forum: Forum,
  fields: Record<string, unknown> = {},
): Promise<TestAgent> {
  const agent = await registerAgent(forum.url, fields)
  await forum.db.query(`UPDATE agents SET role = 'moderator' WHERE handle = $1`, [agent.handle])
  return agent
}
