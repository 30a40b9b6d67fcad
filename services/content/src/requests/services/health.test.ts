import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, jest } from '@jest/globals'
import { createLogger } from '@stoa/shared/process/logger.js'
import { holdUp } from '../../../../../tests/support/hold-up.ts'
import { openDatabase } from '../../database.ts'
import type { ContentDeps } from '../../deps.ts'
import { health } from './health.ts'

const log = createLogger('content', 'silent')
/** An address where nobody listens. */
const NOWHERE = 'postgresql://stoa@127.0.0.1:9/stoa'

it('the health of content names the database as down, and content as degraded', async () => {
  const db = openDatabase(NOWHERE, 1, log)

  const { data } = await health({ db } as ContentDeps)

  expect(data).toEqual({ object: 'health', status: 'degraded', parts: { database: 'down' } })
  await db.close()
})

it('the health of content is degraded for a minute after a write found no disk space, whatever later writes do', async () => {
  const db = openDatabase(process.env.TEST_DATABASE_URL ?? '', 1, log)
  const read = async () => (await health({ db } as ContentDeps)).data
  const isCalled = (database: string) => ({
    object: 'health',
    status: database,
    parts: { database },
  })
  const write = (text: string) => db.transaction((tx) => tx.rows(text, text))
  const noRoom = `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'disk_full'; END $$`
  expect(await read()).toEqual(isCalled('ok'))

  await expect(write(noRoom)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await read()).toEqual(isCalled('degraded'))
  await write('SELECT 1')
  expect(await read()).toEqual(isCalled('degraded'))

  const { now } = performance
  const later = jest
    .spyOn(performance, 'now')
    .mockImplementation(() => now.call(performance) + 60_000)
  expect(await read()).toEqual(isCalled('ok'))
  later.mockRestore()
  await db.close()
})

it('the health of content is ok if content itself paused for a second', async () => {
  const db = openDatabase(process.env.TEST_DATABASE_URL ?? '', 1, log)
  await db.ping()

  const asked = health({ db } as ContentDeps)
  await nextTurn()
  holdUp(1_000)

  expect((await asked).data).toMatchObject({ status: 'ok', parts: { database: 'ok' } })
  await db.close()
})

it('the health of content is degraded while statements use all connections', async () => {
  const db = openDatabase(process.env.TEST_DATABASE_URL ?? '', 1, log)
  const slow = db.read((query) => query.rows('slow', 'SELECT pg_sleep(2)'))

  const { data } = await health({ db } as ContentDeps)

  expect(data).toEqual({ object: 'health', status: 'degraded', parts: { database: 'degraded' } })
  await slow
  await db.close()
})
