import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { createLogger } from '@stoa/shared/process/logger.js'
import { holdUp } from '../../../../../tests/support/hold-up.ts'
import { openDatabase } from '../../database.ts'
import type { ContentDeps } from '../../deps.ts'
import { health } from './health.ts'

const log = createLogger('content', 'silent')
/** Nobody listens there. */
const NOWHERE = 'postgresql://stoa@127.0.0.1:9/stoa'

it('names the database as what is down, and not whoever tells of it', async () => {
  const db = openDatabase(NOWHERE, 1, log)

  const { data } = await health({ db } as ContentDeps)

  expect(data).toEqual({ object: 'health', status: 'degraded', parts: { database: 'down' } })
  await db.close()
})

it('takes no pause of its own for one of the database', async () => {
  const db = openDatabase(process.env.TEST_DATABASE_URL ?? '', 1, log)
  await db.ping()

  const asked = health({ db } as ContentDeps)
  await nextTurn()
  holdUp(1_000)

  expect((await asked).data).toMatchObject({ status: 'ok', parts: { database: 'ok' } })
  await db.close()
})
