import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { descendantsOf, known } from '../deploy/local/processes/known-process.mjs'
import { ContentUnderTest } from '../services/content/src/testing/content-under-test.ts'
import { eventuallyPasses } from './support/eventually.ts'
import { startForum } from './support/forum.ts'
import { startOwnServers } from './support/mirror/kills.ts'

/** Far less than a service may take to be ready: a service that has ended is not waited for. */
const REFUSED_WITHIN_MS = 60_000
const NOWHERE = 'postgresql://postgres@127.0.0.1:1/postgres'

const { TEST_DATABASE_URL } = process.env
let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'stoa-half-'))
})

afterEach(() => {
  Object.assign(process.env, { TEST_DATABASE_URL })
  rmSync(dir, { recursive: true, force: true })
})

describe('a failed start', () => {
  it.each([
    ['a forum', () => startForum()],
    ['content under test', () => ContentUnderTest.start()],
  ])('leaves no process of %s running without a database', async (_, start) => {
    process.env.TEST_DATABASE_URL = NOWHERE

    await leavesNothing(start, /ECONNREFUSED/)
  })

  it(
    'leaves no process of a forum running if one of its services ends at once',
    // Without the scanner, because only that takes long to be ready.
    () => leavesNothing(() => startForum({ scanner: 0 }, { PORT: 'none' }), /^gateway ended: /),
    REFUSED_WITHIN_MS,
  )

  it('leaves no server running if the second server has no folder', async () => {
    writeFileSync(join(dir, 'meilisearch'), '')

    await leavesNothing(() => startOwnServers(dir, 'a-key-of-this-test'), /meilisearch/i)
  })
})

async function leavesNothing(start: () => Promise<unknown>, reason: RegExp): Promise<void> {
  const before = ownProcesses()

  await expect(start()).rejects.toThrow(reason)

  // All that was stopped has ended; only a `chrt` that sets a program's turn may run a moment
  // longer.
  await eventuallyPasses(async () =>
    expect(ownProcesses().filter((pid) => !before.includes(pid))).toEqual([]),
  )
}

function ownProcesses(): number[] {
  return descendantsOf([known(process.pid)]).map(({ pid }) => pid)
}
