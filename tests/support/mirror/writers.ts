import { randomUUID } from 'node:crypto'
import { type Answer, aPost, call, registerAgent, type TestAgent } from '../agent.ts'
import type { Random } from './random.ts'
import { untilAnswered } from './until-answered.ts'
import type { World } from './world.ts'

const WRITERS = 4
/** No moderator of this world looks at this community. */
const PATH = '/api/v1/communities/intros/posts'
/**
 * Answers about a post that was changed or deleted by a write whose answer was lost, or that its
 * author has deleted since.
 */
const REFUSALS = [404, 409, 410]

/** A post as its writer was told last. */
interface Written {
  id: string
  /** Null once it is deleted. */
  body_md: string | null
  version: number
  isPublic: boolean
}

/**
 * An agent that does one thing after the other, at any gateway, and repeats requests that had no
 * answer: it knows how each of its writes must have ended.
 */
export class Writer {
  readonly posts: Written[] = []
  /** The value of each vote, by its target. */
  readonly votes = new Map<string, number>()
  /** Targets without further votes: a vote that had no answer may arrive after the next one. */
  readonly #unsure = new Set<string>()

  readonly #agent: TestAgent
  readonly #world: World
  readonly #random: Random

  constructor(agent: TestAgent, world: World, random: Random) {
    this.#agent = agent
    this.#world = world
    this.#random = random
  }

  async act(all: Writer[]): Promise<void> {
    const isThere = ({ body_md, isPublic }: Written) => body_md !== null && isPublic
    const own = this.#random.pickRecent(this.posts.filter(isThere))
    const others = all.filter((one) => one !== this)
    const theirs = this.#random.pickRecent(others.flatMap(({ posts }) => posts).filter(isThere))
    const drawn = this.#random.next()
    if (!own || drawn < 0.3) await this.#write()
    else if (drawn < 0.6) await this.#edit(own)
    else if (drawn < 0.65) await this.#delete(own)
    else if (theirs) await this.#vote(theirs.id)
  }

  async #write(): Promise<void> {
    const body_md = newText()
    const headers = { 'idempotency-key': randomUUID() }
    const { body, status } = await this.#send('POST', PATH, aPost({ body_md }), headers)
    this.posts.push({ id: body.post.id, body_md, version: 1, isPublic: status === 201 })
  }

  async #edit(post: Written): Promise<void> {
    const path = `/api/v1/posts/${post.id}`
    post.body_md = newText()
    for (;;) {
      const edit = { body_md: post.body_md, expected_version: post.version }
      const { body, status } = await this.#send('PATCH', path, edit)
      if (status === 200) post.version = body.post.version
      if (status < 300) return
      // Either this edit has landed without an answer, or the edit before it waited for its
      // verdict.
      const { body: now } = await this.#send('GET', path)
      if (status !== 409 || now.post.version === post.version) throw new Error(body.detail)
      post.version = now.post.version
      if (now.post.body_md === post.body_md) return
    }
  }

  async #delete(post: Written): Promise<void> {
    await this.#send('DELETE', `/api/v1/posts/${post.id}`)
    post.body_md = null
  }

  async #vote(target_id: string): Promise<void> {
    if (this.#unsure.has(target_id)) return
    const value = this.#random.pick([1, 1, -1, 0])
    const vote = { target_id, value }
    const { status } = await this.#send('POST', '/api/v1/votes', vote, {}, () => {
      this.#unsure.add(target_id)
    })
    // The author may have deleted the post by now.
    if (status === 200) this.votes.set(target_id, value)
  }

  async #send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    onRepeat = () => {},
  ): Promise<Answer> {
    const { forum, patienceMs } = this.#world
    let times = 0
    const send = () => {
      if (times++ > 0) onRepeat()
      const url = this.#random.pick(forum.urls) + path
      return call(method, url, { key: this.#agent.key, body, headers })
    }
    const answer = await untilAnswered(send, patienceMs)
    if (answer.status >= 400 && !REFUSALS.includes(answer.status)) {
      throw new Error(`${method} ${path}: ${answer.text}`)
    }
    return answer
  }

  /** Where the posts and votes in the database differ from what the writer was told. */
  async forgotten(): Promise<string[]> {
    const { db } = this.#world.forum
    const posts = await db.query<{ id: string; body_md: string }>(
      "SELECT id, body_md FROM posts WHERE visibility = 'public'",
    )
    const votes = await db.query<{ target_id: string; value: number }>(
      `SELECT target_id, value FROM votes v JOIN agents a ON a.id = v.agent_id
       WHERE a.handle = $1`,
      [this.#agent.handle],
    )
    const texts = new Map(posts.rows.map(({ id, body_md }) => [id, body_md]))
    const values = new Map(votes.rows.map(({ target_id, value }) => [target_id, value]))
    return [
      ...this.posts
        .filter(({ id, body_md }) => (texts.get(id) ?? null) !== body_md)
        .map(({ id, body_md }) => `${id}: ${texts.get(id)}, told ${body_md}`),
      ...[...this.votes]
        .filter(([id, value]) => (values.get(id) ?? 0) !== value)
        .map(([id, value]) => `vote on ${id}: ${values.get(id)}, told ${value}`),
    ]
  }
}

export async function newWriters(world: World, random: Random): Promise<Writer[]> {
  const agents: TestAgent[] = []
  for (let n = 0; n < WRITERS; n++) agents.push(await registerAgent(world.forum.url))
  world.handles.push(...agents.map(({ handle }) => handle))
  return agents.map((agent) => new Writer(agent, world, random))
}

function newText(): string {
  return `The build of ${randomUUID()} failed one time in nine.`
}
