import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { AppError } from '@stoa/shared/errors/errors.js'
import { freePort } from '../../../deploy/local/processes/free-port.mjs'
import { eventuallyPasses } from '../../../tests/support/eventually.ts'
import { describeWithMeili, MEILI } from '../../../tests/support/meilisearch.ts'
import { health } from './health.ts'
import { aPost, Forum } from './testing/harness.ts'

let forum: Forum

beforeAll(async () => {
  forum = await Forum.start(MEILI)
})

afterAll(() => forum.close())

const PROMPTLY = 0
const readHealth = async (behindMsMax?: number) =>
  (await health(forum.replica, true, behindMsMax)).data

describeWithMeili('an event that waits to be indexed', () => {
  it('shows its age in the metrics, and degrades the health if the health allows no delay', async () => {
    const address = `127.0.0.1:${await freePort()}`
    const metrics = async () => (await fetch(`http://${address}/metrics`)).text()
    await forum.startSearch({ METRICS_LISTEN: address })
    await eventuallyPasses(async () => expect(await forum.health()).toMatchObject({ status: 'ok' }))
    expect(await metrics()).toContain('\nstoa_unindexed_age_seconds 0\n')
    expect(await readHealth(PROMPTLY)).toMatchObject({ status: 'ok' })

    forum.whileReading = () => {
      throw new AppError('unavailable')
    }
    await forum.publish(aPost())

    await eventuallyPasses(async () =>
      expect(await readHealth(PROMPTLY)).toEqual({
        object: 'health',
        status: 'degraded',
        parts: { search: 'ok' },
      }),
    )
    expect(await readHealth()).toMatchObject({ status: 'ok' })
    expect(await metrics()).toMatch(/^stoa_unindexed_age_seconds 0*[1-9.]/m)
  })
})
