import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createLogger } from '@stoa/shared/process/logger.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { lineTo } from '../../../../tests/support/line-to.ts'
import { openDatabase } from '../database.ts'
import { ContentUnderTest } from '../testing/content-under-test.ts'
import { startAttendance } from './attendance.ts'

let content: ContentUnderTest

beforeAll(async () => {
  content = await ContentUnderTest.start()
})

afterAll(() => content.stop())

it('takes its share on where one connection was lost, and the database is there', async () => {
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

it('says of a database that is well what keeps it from being reached', async () => {
  const said: { msg: string; err?: { message: string } }[] = []
  const write = (line: string) => void said.push(JSON.parse(line))
  const log = createLogger('content', 'info', { write })
  const db = openDatabase(content.databaseUrl, 1, log)
  const slow = db.read((query) => query.rows('slow-statement', 'SELECT pg_sleep(8)', []))
  const share = { standAside: () => {}, takePart: () => {} }

  const attendance = startAttendance(db, [share], log)

  await eventually('it stands aside', async () => said.some(({ msg }) => /away/.test(msg)))
  await slow
  await attendance.close()
  await db.close()
  expect(said.find(({ msg }) => /away/.test(msg))).toMatchObject({
    err: { message: 'timeout exceeded when trying to connect' },
  })
})
