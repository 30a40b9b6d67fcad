import { expect, it } from '@jest/globals'
import { createLogger } from '@stoa/shared/process/logger.js'
import { openDatabase } from '../../database.ts'
import type { ContentDeps } from '../../deps.ts'
import { health } from './health.ts'

/** Nobody listens there. */
const NOWHERE = 'postgresql://stoa@127.0.0.1:9/stoa'

it('names the database as what is down, and not whoever tells of it', async () => {
  const db = openDatabase(NOWHERE, 1, createLogger('content', 'silent'))

  const { data } = await health({ db } as ContentDeps)

  expect(data).toEqual({ object: 'health', status: 'degraded', parts: { database: 'down' } })
  await db.close()
})
