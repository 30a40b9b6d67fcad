import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { newId } from '@stoa/shared/identifiers/ids.js'
import type { Database } from './database.ts'
import { SILENT } from './notices.ts'
import { type ChangeEntry, type Publication, publish } from './publication.ts'
import { ContentUnderTest } from './testing/content-under-test.ts'

let content: ContentUnderTest
let db: Database

beforeAll(async () => {
  content = await ContentUnderTest.start()
  db = content.openDatabase(1)
})

afterAll(() => content.stop())

const ROOM = { ticks: 1, changes: 1 }

function aLine(): ChangeEntry {
  const id = newId('post')
  return { type: 'post.updated', target_id: id, post_id: id, community_slug: 'general' }
}

async function lastSeq(): Promise<number> {
  const { rows } = await content.db.query('SELECT seq::int FROM publication')
  return rows[0].seq
}

it.each<[string, (publication: Publication) => void]>([
  ['more lines than it has room for', ({ change }) => [aLine(), aLine()].forEach(change)],
  ['fewer, which would leave a gap in the log', () => {}],
  [
    'more ticks',
    ({ nextTick, change }) => {
      change(aLine())
      nextTick()
      nextTick()
    },
  ],
])('a publication that takes %s fails, and changes nothing', async (_, write) => {
  const before = await lastSeq()

  const publishing = db.transaction((tx) => publish(tx, SILENT, ROOM, write))

  await expect(publishing).rejects.toThrow('a publication took other room than it asked for')
  expect(await lastSeq()).toBe(before)
})

it('publications give out no tick twice or out of order, even if the clock was set back', async () => {
  const before = Date.now() + 3_600_000
  await content.db.query('UPDATE publication SET tick = $1', [before])
  const ticks: number[] = []
  const write = ({ nextTick }: Publication) => void ticks.push(nextTick(), nextTick())

  for (let n = 0; n < 2; n++) {
    await db.transaction((tx) => publish(tx, SILENT, { ticks: 2, changes: 0 }, write))
  }

  expect(ticks).toEqual([1, 2, 3, 4].map((n) => before + n))
})

it('a publication tells how far the log goes once others can read it, so that streams need not wait for their next look', async () => {
  const told: number[] = []
  const notices = { ...SILENT, changesAppended: (seq: number) => void told.push(seq) }

  const tooSoon = await db.transaction(async (tx) => {
    await publish(tx, notices, ROOM, ({ change }) => change(aLine()))
    return [...told]
  })

  expect(tooSoon).toEqual([])
  expect(told).toEqual([await lastSeq()])
})
