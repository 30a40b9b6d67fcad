import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createLogger } from '@stoa/shared/process/logger.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { lineTo } from '../../../../tests/support/line-to.ts'
import { openDatabase } from '../database.ts'
import type { TableLock } from '../table-locks.ts'
import { ContentUnderTest } from '../testing/content-under-test.ts'
import { startAttendance } from './attendance.ts'

let content: ContentUnderTest

beforeAll(async () => {
  content = await ContentUnderTest.start()
})

afterAll(() => content.stop())

it('a worker keeps its share if one connection is lost while the database answers', async () => {
  const log = createLogger('content', 'silent')
  const line = await lineTo(content.databaseUrl)
  const db = openDatabase(line.url, 1, log)
  await db.ping()
  line.lose()
  let looks = 0
  const ping = () => {
    looks++
    return db.ping()
  }
  const told: string[] = []
  const share = {
    standAside: () => void told.push('stand aside'),
    takePart: () => void told.push('take part'),
  }

  const attendance = startAttendance({ ...db, ping }, [share], log)

  await eventually('it looks a second time', async () => looks > 1)
  await attendance.close()
  await db.close()
  await line.close()
  expect(told).toEqual([])
})

it('a worker keeps its share while all connections are in use, and logs who holds the awaited lock', async () => {
  const said: { msg: string; waiting?: number; locks?: TableLock[] }[] = []
  const write = (line: string) => void said.push(JSON.parse(line))
  const log = createLogger('content', 'info', { write })
  const db = openDatabase(content.databaseUrl, 1, log)
  const release = await content.hold('LOCK TABLE suggestions')
  const [{ pid }] = (
    await content.db.query(
      `SELECT pid FROM pg_locks WHERE relation = 'suggestions'::regclass AND granted`,
    )
  ).rows
  const told: string[] = []
  const share = {
    standAside: () => void told.push('stand aside'),
    takePart: () => void told.push('take part'),
  }
  const text = 'SELECT count(*) FROM suggestions'
  const writing = db.transaction((tx) => tx.rows('all', text))

  const attendance = startAttendance(db, [share], log)

  const busy = await eventually('it says so', async () => said.find(({ msg }) => /busy/.test(msg)))
  await Promise.allSettled([writing])
  await release()
  await attendance.close()
  await db.close()
  expect(busy.locks).toContainEqual({
    table: 'suggestions',
    waiting: 1,
    pid,
    application: expect.any(String),
    state: 'idle in transaction',
    seconds: expect.any(Number),
  })
  expect(told).toEqual([])
})
