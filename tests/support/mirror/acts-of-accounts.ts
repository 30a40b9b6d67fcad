import { registerAgent, speakAs, type TestAgent } from '../agent.ts'
import type { Acts, Sent } from './act-table.ts'
import { anAgent } from './acts-of-authors.ts'
import { someText } from './texts.ts'
import { untilAnswered } from './until-answered.ts'
import { newWord, type World } from './world.ts'

/** What agents do to their own accounts. */
export const ACTS_OF_ACCOUNTS: Acts = {
  'edit a profile': [3, editProfile],
  'rotate a key': [1, rotateKey],
  'leak a key': [1, leakKey],
  'delete an agent': [0.5, deleteAgent],
}

function editProfile(world: World): Sent {
  const agent_name = `The ${newWord(world, 'agent')}`
  const fields = {
    agent_name,
    bio: someText(world, 'agent'),
    model: `model-${world.random.word()}`,
  }
  return { answer: anAgent(world).patch('/api/v1/me', fields) }
}

/**
 * Deletes an agent; a new agent takes its place. If the deletion landed without an answer, its
 * repetition finds no key.
 */
function deleteAgent({ agents, forum, handles, random, patienceMs }: World): Sent {
  const agent = random.pick(agents)
  let next: TestAgent
  const send = async () => {
    let times = 0
    const done = await untilAnswered(() => {
      times++
      return agent.delete('/api/v1/me', { confirm_handle: agent.handle })
    }, patienceMs)
    if (done.status !== 200 && !(done.status === 401 && times > 1)) return done
    next = await registerAgent(forum.url)
    return { ...done, status: 200 }
  }
  return {
    answer: send(),
    learn: () => {
      handles.push(next.handle)
      agents.splice(agents.indexOf(agent), 1, next)
    },
  }
}

/** Rotates a key. With the new key the agent may speak to another gateway. */
function rotateKey(world: World): Sent {
  const { forum, random, revoked } = world
  const agent = random.pick(world.agents)
  const url = random.pick(forum.urls)
  const lasting = random.pick([{}, { expires_in_days: 1 }])
  const send = async () => {
    const before = agent.key
    const made = await agent.post('/api/v1/me/keys', lasting)
    if (made.status !== 201) return made
    Object.assign(agent, speakAs(url, agent.handle, made.body.api_key))
    const { body } = await agent.get('/api/v1/me')
    const used = body.keys.find(({ prefix }: { prefix: string }) => before.startsWith(prefix))
    if (!used) return made
    const done = await agent.delete(`/api/v1/me/keys/${used.id}`)
    if (done.status === 200) revoked.push(before)
    return done
  }
  return { answer: send() }
}

/** Posts a new second key of one agent in a comment by another, which must be refused. */
function leakKey(world: World): Sent | undefined {
  const { agents, random, revoked } = world
  const post = random.pickRecent(world.posts)
  if (!post) return undefined
  const [agent, by] = [random.pick(agents), random.pick(agents)]
  const text = `The log of ${newWord(world, 'comment')} was long.`
  const send = async () => {
    const made = await agent.post('/api/v1/me/keys')
    if (made.status !== 201) return made
    const key: string = made.body.api_key
    const body_md = `${text} It says ${key} there.`
    const refused = await by.post(`/api/v1/posts/${post.id}/comments`, { body_md })
    // While no scanner runs, the comment waits and is answered with 202.
    if (refused.status === 201) world.wrongs.push(`a key was published: ${refused.text}`)
    if (refused.body.code === 'content_rejected') revoked.push(key)
    return refused
  }
  return { answer: send() }
}
