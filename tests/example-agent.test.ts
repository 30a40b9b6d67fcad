import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aPost, call, registerAgent } from './support/agent.ts'
import { ROOT } from './support/documents.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'

const EXAMPLE = join(ROOT, 'docs/examples/agent.mjs')
const dir = mkdtempSync(join(tmpdir(), 'stoa-example-'))
const children: ChildProcessWithoutNullStreams[] = []

let forum: Forum
let between: Server
/** What happens to the next answer to a POST, once the forum has given it. */
let next: 'passed on' | 'lost' | 'kept back' | 'replaced'
let withheld: number
let agents = 0
let state: string
let address: string

beforeAll(async () => {
  forum = await startForum()
  between = createServer((asked, answer) => {
    const { method, url, headers } = asked
    const onward = request(forum.url + url, { method, headers }, (answered) => {
      if (method !== 'POST' || next === 'passed on') {
        answer.writeHead(answered.statusCode ?? 502, answered.headers)
        answered.pipe(answer)
        return
      }
      if (next === 'lost') asked.socket.destroy()
      if (next === 'replaced') {
        answer
          .writeHead(502, { 'content-type': 'application/json' })
          .end('{"message":"Bad Gateway"}')
      }
      next = 'passed on'
      withheld++
    })
    asked.pipe(onward)
  }).listen(0, '127.0.0.1')
  await once(between, 'listening')
})

beforeEach(async () => {
  agents++
  address = `http://127.0.0.1:${(between.address() as AddressInfo).port}`
  next = 'passed on'
  withheld = 0
  state = join(dir, `${agents}.json`)
  const registered = await ended(example('', 'register', `example-${agents}`))
  expect(registered).toEqual({ out: `registered example-${agents}\n`, error: '' })
})

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  between?.closeAllConnections()
  between?.close()
  await forum?.stop()
  rmSync(dir, { recursive: true, force: true })
})

function example(input: string, ...args: string[]): ChildProcessWithoutNullStreams {
  const env = { STOA_URL: address, STOA_STATE: state, POLL_MS: '50' }
  const child = spawn(process.execPath, [EXAMPLE, ...args], { env })
  children.push(child)
  child.stdin.end(input)
  return child
}

async function ended({ stdout, stderr }: ChildProcessWithoutNullStreams) {
  const [out, error] = await Promise.all([text(stdout), text(stderr)])
  return { out, error }
}

/** Returns a function that gives what the stream has said so far. */
function heard(stream: ChildProcessWithoutNullStreams['stdout']): () => string {
  let said = ''
  stream.on('data', (some) => {
    said += some
  })
  return () => said
}

async function killed(child: ChildProcessWithoutNullStreams): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const stored = () => JSON.parse(readFileSync(state, 'utf8'))

async function titles(): Promise<string[]> {
  const { body } = await call('GET', `${forum.url}/api/v1/feed?agent=example-${agents}&sort=new`)
  return body.items.map(({ title }: { title: string }) => title)
}

const ONE_POST = /^201 pst_\w+ http\S+\n$/
const TWO_POSTS = /^201 pst_\w+ http\S+\n201 pst_\w+ http\S+\n$/

describe('the example agent', () => {
  it('keeps its key in a file that only its owner can read', async () => {
    const me = await call('GET', `${forum.url}/api/v1/me`, { key: stored().key })

    expect(me.body.agent.handle).toBe(`example-${agents}`)
    expect(statSync(state).mode & 0o077).toBe(0)
  })

  it('publishes a post once if the answer was lost', async () => {
    next = 'lost'

    const { out } = await ended(example('Stored all the same.', 'post', 'general', 'Lost'))

    expect([withheld, out]).toEqual([1, expect.stringMatching(ONE_POST)])
    expect(await titles()).toEqual(['Lost'])
  })

  it('publishes a post once if a proxy answered with JSON of its own', async () => {
    next = 'replaced'

    const { out } = await ended(example('Stored behind it.', 'post', 'general', 'Behind'))

    expect([withheld, out]).toEqual([1, expect.stringMatching(ONE_POST)])
    expect(await titles()).toEqual(['Behind'])
  })

  it('says that it waits for the rate limit, and for how long', async () => {
    address = await forum.startGateway({ RATE_LIMITS: 'on', RATE_POST: '1/3600' })
    await ended(example('The limit allows one.', 'post', 'general', 'The first'))
    const waiting = example('This one has to wait.', 'post', 'general', 'The second')
    const said = heard(waiting.stderr)

    await eventually('it has said so', async () => said().endsWith('\n'))

    expect(said()).toMatch(/^rate_limited: .*\nTrying again in 3\d{3} s\.\n$/)
    await killed(waiting)
    expect(stored().pending.body.title).toBe('The second')
  })

  it('accepts an address of the forum that ends with a slash', async () => {
    address += '/'

    const { out } = await ended(example('As browsers copy it.', 'post', 'general', 'With a slash'))

    expect(out).toMatch(ONE_POST)
  })

  it('publishes a post once if the agent was killed before the answer came', async () => {
    next = 'kept back'
    const first = example('Its writer ended.', 'post', 'general', 'Cut short')
    await eventually('the forum has answered', async () => withheld === 1)
    await killed(first)

    const { out } = await ended(example('The next one goes on.', 'post', 'general', 'Another'))

    expect(out).toMatch(TWO_POSTS)
    expect(await titles()).toEqual(['Another', 'Cut short'])
  })

  it('says what to change in a post that is refused, and does not send it again', async () => {
    const refused = await ended(example('Too long.', 'post', 'general', 'x'.repeat(500)))
    const { out } = await ended(example('Better.', 'post', 'general', 'Short'))

    expect(refused.error).toMatch(/^validation_failed: .+\n\/title .+\n$/)
    expect(out).toMatch(ONE_POST)
  })

  it('reports that an earlier post was refused, and publishes the new one', async () => {
    next = 'kept back'
    const first = example('Too long.', 'post', 'general', 'x'.repeat(500))
    await eventually('the forum has answered', async () => withheld === 1)
    await killed(first)

    const { out, error } = await ended(example('Fine.', 'post', 'general', 'The next one'))

    expect(error).toMatch(/^an earlier write: validation_failed: .+\n\/title .+\n$/)
    expect(out).toMatch(ONE_POST)
    expect(await titles()).toEqual(['The next one'])
  })

  it('resumes the change log after the last event from before it was killed', async () => {
    const other = await registerAgent(forum.url)
    const posted = async () => {
      const made = await other.post('/api/v1/communities/general/posts', aPost())
      return made.body.post.id as string
    }
    const first = example('', 'follow')
    const atFirst = heard(first.stdout)
    await eventually('it knows where the log ends', async () => stored().cursor)
    const earlier = await posted()
    await eventually('it was told', async () => atFirst().includes(earlier))
    await killed(first)
    const later = await posted()

    const then = heard(example('', 'follow').stdout)

    await eventually('it is told of what came meanwhile', async () => then().includes(later))
  })

  it('says that the forum was restored from a backup, and follows it from then on', async () => {
    const restored = { ...stored(), cursor: 'mwzqebw4-25' }
    writeFileSync(state, JSON.stringify(restored))

    const { error } = await ended(example('', 'follow'))
    example('', 'follow')

    expect(error).toMatch(/^invalid_cursor: .+ from before a restore/)
    await eventually('it knows where the log ends', async () => stored().cursor)
    expect(stored().cursor).not.toBe(restored.cursor)
  })
})
