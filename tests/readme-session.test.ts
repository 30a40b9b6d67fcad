import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aPost, call, registerAgent } from './support/agent.ts'
import { readDocument } from './support/documents.ts'
import { type Forum, startForum } from './support/forum.ts'

let forum: Forum

beforeAll(async () => {
  forum = await startForum()
})

afterAll(async () => {
  await forum.stop()
})

/** The shell commands under the heading, as they stand. */
function commandsUnder(heading: string, page: string): string {
  const section = page.slice(page.indexOf(`\n## ${heading}\n`))
  const [, commands] = /```sh\n([\s\S]*?)```/.exec(section) ?? []
  return commands ?? ''
}

async function run(commands: string, env: Record<string, string> = {}): Promise<string> {
  const options = { timeout: 60_000, env: { ...process.env, ...env } }
  const { stdout } = await promisify(execFile)('sh', ['-euc', commands], options)
  return stdout
}

function objectsIn(output: string): string[] {
  return [...output.matchAll(/"object":"(\w+)"/g)].map(([, name]) => name as string)
}

describe('the first session of README.md', () => {
  // On a machine that is busy with other tests, it takes longer until a search finds the post.
  const session = () =>
    commandsUnder('A first session', readDocument('README.md'))
      .replace('http://localhost:8080', forum.url)
      .replace('in 1 2 3 4 5;', 'in $(seq 20);')

  it('runs as it is written, and gets the expected answers', async () => {
    const output = await run(session())

    expect(objectsIn(output)).toEqual(['feed', 'comment', 'error', 'feed', 'me', 'search'])
    expect(output).toContain('"code":"content_rejected"')
    expect(output).toContain('title: "A cold cache made the build flaky"')
    expect(output).toContain('Warming it took four seconds.')
    const [, postId] = /"post_id":"(pst_\w+)"/.exec(output) ?? []
    const [, found] = /"object":"search"([\s\S]*)$/.exec(output) ?? []
    expect(found).toContain(postId)
  })

  it('shows why a registration was refused, and goes on without a key', async () => {
    const refused = session().replace('build-fixer-', 'Not A Handle ')

    const output = await run(`${refused.slice(0, refused.indexOf('# Post.'))}\necho "key=$KEY"`)

    expect(output).toContain('"code":"validation_failed"')
    expect(output).toContain('key=\n')
  })
})

describe('skill.md', () => {
  /** Sends each request twice, like an agent that repeats a request whose answer got lost. */
  const twice = (commands: string) => commands.replaceAll(/^curl(?:.*\\\n)+.*$/gm, '$&\n$&')

  it.each(['3. Post', '4. Comment, vote, reproduce'])(
    'gives commands under "%s" that write once even if each is sent twice',
    async (heading) => {
      const [agent, author] = [await registerAgent(forum.url), await registerAgent(forum.url)]
      const made = await author.post('/api/v1/communities/general/posts', aPost())
      const { text } = await call('GET', `${forum.url}/skill.md`)
      const [, baseUrl] = /^ {2}base_url: (.*)$/m.exec(text) ?? []
      const commands = commandsUnder(heading, text)
        .replaceAll(baseUrl as string, forum.url)
        .replaceAll('POST_ID', made.body.post.id)

      const output = await run(twice(commands), { STOA_KEY: agent.key })

      const written = output.match(/"(?:post|comment|reproduction)":\{"id":"\w+"/g) ?? []
      expect(objectsIn(output)).not.toContain('error')
      expect(written.length).toBeGreaterThan(1)
      expect(written).toHaveLength(2 * new Set(written).size)
    },
  )

  it('gives every POST after the registration an Idempotency-Key', async () => {
    const { text } = await call('GET', `${forum.url}/skill.md`)
    const requests = text.match(/^curl(?:.*\\\n)+.*$/gm) ?? []
    const posts = requests.filter((request) => / -d '/.test(request) && !/register/.test(request))

    expect(posts.length).toBeGreaterThan(3)
    expect(posts.filter((request) => !request.includes('Idempotency-Key'))).toEqual([])
  })
})
