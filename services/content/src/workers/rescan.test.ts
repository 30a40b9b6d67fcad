import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import { type Bus, connectBus } from '@stoa/shared/bus/bus.js'
import { STREAMS } from '@stoa/shared/bus/streams.js'
import { scanRequested } from '@stoa/shared/contracts/scans.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { ContentUnderTest } from '../testing/content-under-test.ts'
import { caseOf } from '../testing/tell-verdict.ts'

let content: ContentUnderTest
let operator: Bus

beforeAll(async () => {
  content = await ContentUnderTest.start({ PUBLISH_WAIT_MS: '0', RESCAN_AFTER_MS: '3000' })
  operator = await connectBus('content', content.nats.url)
})

afterAll(async () => {
  await operator.close()
  await content.stop()
})

it('a scan is requested again if its request was lost, but not if the request waits in the stream', async () => {
  const author = await content.register()
  const jsm = await jetstreamManager(operator.nc)
  await content.scanner.stop()
  const lost = await caseOf(content, await content.postId(author))
  await eventually('its request is in the stream', async () => (await requestsIn(jsm)) > 0)
  await jsm.streams.purge(STREAMS.scan.name)
  const waiting = await caseOf(content, await content.postId(author))
  await eventually('its request is in the stream', async () => (await requestsIn(jsm)) > 0)

  // Both requests are overdue from the same moment on.
  await content.db.query(
    `UPDATE submissions
     SET requests = 1, requested_at = now() - CASE id WHEN $1 THEN interval '1 hour' ELSE interval '5 seconds' END
     WHERE id IN ($1, $2)`,
    [lost, waiting],
  )

  await eventually('the lost one is asked for', async () => (await timesAsked(lost)) > 1)
  expect(await timesAsked(waiting)).toBe(1)
})

it('a lost scan is requested again even if the clock of the database was set back', async () => {
  const jsm = await jetstreamManager(operator.nc)
  const lost = await caseOf(content, await content.postId(await content.register()))
  await eventually('its request is in the stream', async () => (await requestsIn(jsm)) > 0)
  await jsm.streams.purge(STREAMS.scan.name)
  const before = await timesAsked(lost)
  await content.db.query(
    `UPDATE submissions SET requested_at = now() + interval '1 hour' WHERE id = $1`,
    [lost],
  )

  await eventually('it is asked for', async () => (await timesAsked(lost)) > before)
})

it('a scan that was requested often is requested again less often', async () => {
  const jsm = await jetstreamManager(operator.nc)
  const author = await content.register()
  const often = await caseOf(content, await content.postId(author))
  const once = await caseOf(content, await content.postId(author))
  await jsm.streams.purge(STREAMS.scan.name)
  await content.db.query(
    `UPDATE submissions
     SET requests = CASE id WHEN $1 THEN 20 ELSE 1 END, requested_at = now() - interval '20 seconds'
     WHERE id IN ($1, $2)`,
    [often, once],
  )

  await eventually('the other is asked for', async () => (await timesAsked(once)) > 1)
  expect(await timesAsked(often)).toBe(20)
})

it('a scan is requested again after at most twenty waits, however often it was requested', async () => {
  const jsm = await jetstreamManager(operator.nc)
  const lost = await caseOf(content, await content.postId(await content.register()))
  await jsm.streams.purge(STREAMS.scan.name)
  await content.db.query(
    `UPDATE submissions SET requests = 1000, requested_at = now() - interval '70 seconds'
     WHERE id = $1`,
    [lost],
  )

  await eventually('it is asked for', async () => (await timesAsked(lost)) > 1000)
})

it('scans are requested again one by one, so that a text that stops scanners stops no other text', async () => {
  const jsm = await jetstreamManager(operator.nc)
  const author = await content.register()
  const lost = [
    await caseOf(content, await content.postId(author)),
    await caseOf(content, await content.postId(author)),
  ]
  await jsm.streams.purge(STREAMS.scan.name)
  await content.db.query(
    `UPDATE submissions SET requested_at = now() - interval '1 hour' WHERE id = ANY($1)`,
    [lost],
  )

  await eventually('both are asked for', async () => {
    const asked = await Promise.all(lost.map(timesAsked))
    return asked.every((times) => times > 1)
  })
  expect(new Set(await sizesOfRequests(lost))).toEqual(new Set([1]))
})

it('a text that was scanned and is held is not scanned again while its author is suspended', async () => {
  const jsm = await jetstreamManager(operator.nc)
  const author = await content.register()
  const [held, lost] = [
    await caseOf(content, await content.postId(author)),
    await caseOf(content, await content.postId(author)),
  ]
  await jsm.streams.purge(STREAMS.scan.name)
  await content.db.query(`UPDATE agents SET status = 'suspended' WHERE id = $1`, [author.agent_id])
  await content.db.query(
    `UPDATE submissions SET requested_at = now() - interval '1 hour',
       verdict = CASE id WHEN $1 THEN 'allow' END
     WHERE id IN ($1, $2)`,
    [held, lost],
  )

  await eventually('the other is asked for', async () => (await timesAsked(lost)) > 1)
  expect(await timesAsked(held)).toBe(1)
})

async function requestsIn(jsm: JetStreamManager): Promise<number> {
  const filter = { subjects_filter: scanRequested.subject }
  const { state } = await jsm.streams.info(STREAMS.scan.name, filter)
  return state.subjects?.[scanRequested.subject] ?? 0
}

async function timesAsked(caseId: string): Promise<number> {
  const { rows } = await content.db.query('SELECT requests FROM submissions WHERE id = $1', [
    caseId,
  ])
  return rows[0].requests
}

/** How many cases each request for a scan of one of these cases names. */
async function sizesOfRequests(caseIds: string[]): Promise<number[]> {
  const { rows } = await content.db.query(
    `SELECT json_array_length(event::json #> '{data,cases}') AS size FROM outbox
     WHERE subject = $1 AND event ~ $2`,
    [scanRequested.subject, caseIds.join('|')],
  )
  return rows.map(({ size }) => size)
}
