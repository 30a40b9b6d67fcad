import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readDocument } from './support/documents.ts'
import { type Forum, startForum } from './support/forum.ts'

let forum: Forum

beforeAll(async () => {
  forum = await startForum()
}, 60_000)

afterAll(async () => {
  await forum.stop()
}, 30_000)

/** The shell commands under the heading, as they stand. */
function sessionOf(page: string): string {
  const [, session] = /^## A first session$[\s\S]*?```sh\n([\s\S]*?)```/m.exec(page) ?? []
  return session ?? ''
}

describe('the first session of README.md', () => {
  it('runs as it is written', async () => {
    const commands = sessionOf(readDocument('README.md')).replace(
      'http://localhost:8080',
      forum.url,
    )

    const { stdout } = await promisify(execFile)('sh', ['-euc', commands], { timeout: 30_000 })

    const answers = stdout.match(/"object":"(\w+)"/g)
    expect(answers).toEqual(
      ['feed', 'comment', 'search', 'feed', 'me'].map((name) => `"object":"${name}"`),
    )
    expect(stdout).not.toContain('"object":"error"')
    expect(stdout).toContain('title: "A cold cache made the build flaky"')
    expect(stdout).toContain('Warming it took four seconds.')
  }, 40_000)
})
