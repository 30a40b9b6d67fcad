import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Bus, connectBus } from '@stoa/shared/bus/bus.js'
import { answer, reply, serve } from '@stoa/shared/bus/serve.js'
import { deleteMe } from '@stoa/shared/contracts/agents.js'
import { INVALIDATE } from '@stoa/shared/contracts/events.js'
import { serviceHealth } from '@stoa/shared/contracts/health.js'
import { rankSnapshot } from '@stoa/shared/contracts/rank.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { eventually } from './support/eventually.ts'
import { lineTo } from './support/line-to.ts'
import { OwnNats } from './support/own-nats.ts'
import { signal } from './support/signal.ts'

let nats: OwnNats
const opened: Promise<Bus>[] = []

beforeAll(async () => {
  nats = await OwnNats.start()
})

afterAll(async () => {
  for (const bus of opened) await bus.then(({ close }) => close())
  await nats?.remove()
})

/** A logger, and the lines that were written to it. */
function keptLog() {
  const lines: string[] = []
  const log = createLogger('content', 'info', { write: (line) => void lines.push(line) })
  const lineWith = (text: string) =>
    eventually(`the log says ${text}`, async () => lines.find((line) => line.includes(text)))
  return { log, lines, lineWith }
}

/** Opens a connection that is closed after all tests. */
function open(...args: Parameters<typeof connectBus>): Promise<Bus> {
  const opening = connectBus(...args)
  opened.push(opening)
  return opening
}

it('a connection with a wrong password is refused, and neither error nor log shows the password', async () => {
  const { log, lines } = keptLog()
  const url = new URL(nats.urlFor('content'))
  url.password = 'open-sesame'

  const refused = connectBus('content', url.href, log)

  await expect(refused).rejects.toThrow(`the bus at 127.0.0.1:${nats.port} refuses`)
  await expect(refused).rejects.toMatchObject({
    message: expect.not.stringContaining('open-sesame'),
    cause: expect.objectContaining({ message: expect.stringMatching(/Authorization Violation/) }),
  })
  expect(lines.join()).not.toContain('open-sesame')
})

it('a client whose address asks for TLS refuses a bus that offers no TLS', async () => {
  const refused = connectBus('content', nats.urlFor('content').replace('nats:', 'tls:'))

  await expect(refused).rejects.toThrow(`the bus at 127.0.0.1:${nats.port} offers no TLS`)
})

it('a client logs which bus it waits for and why, and connects once the bus is up', async () => {
  const { port } = nats
  const url = nats.urlFor('content')
  await nats.stop()
  const { log, lines, lineWith } = keptLog()

  const connecting = open('content', url, log)
  const waiting = await lineWith('waiting for the bus')
  await nats.startAgain()
  const bus = await connecting

  expect(await bus.answers()).toBe(true)
  expect(JSON.parse(waiting)).toMatchObject({
    level: 40,
    servers: [`127.0.0.1:${port}`],
    err: { message: 'connection refused' },
  })
  expect(lines.join()).not.toContain(new URL(url).password)
})

it('a client logs when the bus is lost and when it is back', async () => {
  const { port } = nats
  const { log, lineWith } = keptLog()
  await open('content', nats.urlFor('content'), log)

  const stoppedAt = performance.now()
  await nats.stop()
  const lost = await lineWith('the bus is lost')
  await nats.startAgain()
  const back = await lineWith('the bus is back')

  expect(JSON.parse(lost)).toMatchObject({ level: 40, server: `127.0.0.1:${port}` })
  const { away_ms } = JSON.parse(back)
  expect(away_ms).toBeGreaterThan(0)
  expect(away_ms).toBeLessThan(performance.now() - stoppedAt)
})

it('a client logs a refusal by the bus once, not for every refused message', async () => {
  const { log, lines, lineWith } = keptLog()
  const bus = await open('gateway', nats.urlFor('gateway'), log)

  for (const _ of [1, 2, 3]) bus.nc.publish('forum.post.published', '{}')
  const refused = await lineWith('the bus refuses')
  await bus.settled()

  expect(JSON.parse(refused)).toMatchObject({
    level: 40,
    err: { message: expect.stringContaining('forum.post.published') },
  })
  expect(lines).toEqual([refused])
})

it('a watcher that has unsubscribed is not called when the connection is lost and back', async () => {
  const bus = await open('content', nats.urlFor('content'))
  const called: string[] = []
  const unwatch = bus.watch({ lost: () => called.push('lost'), back: () => called.push('back') })
  // Watchers are called in the order of watching, so the first would have been called by then.
  const isBack = back(bus)
  unwatch()

  await bus.nc.reconnect()
  await isBack

  expect(called).toEqual([])
})

/**
 * Longer than this client gives a server to answer, and shorter than its library does by default.
 */
const LEFT_WITHIN_MS = 15_000

it('a client leaves a server that falls silent and takes nothing more, and continues on another connection', async () => {
  const line = await lineTo(nats.urlFor('content'))
  const bus = await open('content', line.url)
  const lost = signal()
  const returned = back(bus)
  bus.watch({ lost: lost.give })

  line.lose()
  // More than the buffers of all sockets in between hold.
  for (let mib = 0; mib < 32; mib++) bus.tell(INVALIDATE, 'x'.repeat(1024 ** 2))
  const outcome = await Promise.race([
    lost.given.then(() => 'left'),
    pause(LEFT_WITHIN_MS, 'still waits', { ref: false }),
  ])
  await returned

  expect(outcome).toBe('left')
  expect(await bus.answers()).toBe(true)
  await bus.close()
  await line.close()
})

it('a client reconnects to a bus that was away for more than ten attempts', async () => {
  const bus = await open('content', nats.urlFor('content'))
  const tries: unknown[] = []
  const following = (async () => {
    for await (const { type } of bus.nc.status()) if (type === 'reconnecting') tries.push(type)
  })()
  following.catch(() => {})

  await nats.stop()
  // By default the client gives up after ten attempts.
  await eventually('it has tried often', async () => tries.length > 10)
  await nats.startAgain()

  await eventually('it is there again', async () => bus.connected())
  expect(await bus.answers()).toBe(true)
})

/** Resolves when the bus of this connection is back. */
function back(bus: Bus): Promise<void> {
  return new Promise((resolve) => {
    bus.watch({ back: resolve })
  })
}

/**
 * Sends a request that `serving` never answers. `failed` is its outcome, or says after ten seconds
 * that the request still waits.
 */
async function askInVain(): Promise<{ serving: Bus; asking: Bus; failed: Promise<unknown> }> {
  const serving = await open('content', nats.urlFor('content'))
  const asking = await open('ranking', nats.urlFor('ranking'))
  const asked = signal()
  const silent = answer(rankSnapshot, () => {
    asked.give()
    return new Promise<never>(() => {})
  })
  await serve(serving, {}, [silent], createLogger('content', 'silent'))
  const meta = { requestId: 'req_1', remainingMs: rankSnapshot.timeoutMs }
  const failed = asking.request(rankSnapshot, { limit: 1 }, meta).catch((error) => error)
  await asked.given
  // If it did not fail, the request would wait half as long again.
  const outcome = Promise.race([failed, pause(10_000, 'still waits', { ref: false })])
  return { serving, asking, failed: outcome }
}

it('a pending request fails with timeout at once when the bus is lost', async () => {
  const { serving, failed } = await askInVain()

  await nats.stop()

  const outcome = await failed
  await nats.startAgain()
  // Otherwise it would take the requests of other tests.
  await serving.close()
  expect(outcome).toMatchObject({ code: 'timeout' })
})

it('a pending request fails with unavailable at once when its own connection is closed', async () => {
  const { serving, asking, failed } = await askInVain()

  await asking.close()
  await serving.close()

  expect(await failed).toMatchObject({ code: 'unavailable' })
})

it('sending a notice on a closed connection does not throw', async () => {
  const bus = await connectBus('ranking', nats.urlFor('ranking'))

  await bus.close()

  await eventually('it is away', async () => !bus.connected())
  expect(() => bus.tell(INVALIDATE, { tags: [] })).not.toThrow()
})

it('a client hears the notices of others, but not its own', async () => {
  const [ours, other] = [await open('content', nats.url), await open('content', nats.url)]
  const heard: unknown[] = []
  ours.hear(INVALIDATE, (notice) => void heard.push(notice))
  await ours.settled()

  ours.tell(INVALIDATE, { tags: ['ours'] })
  await ours.settled()
  other.tell(INVALIDATE, { tags: ['theirs'] })

  await eventually('it hears a notice', async () => heard.length > 0)
  expect(heard).toEqual([{ tags: ['theirs'] }])
})

it('a request fails with unavailable at once while the bus is away', async () => {
  const asking = await open('gateway', nats.urlFor('gateway'))
  const lost = new Promise<void>((resolve) => {
    asking.watch({ lost: resolve })
  })
  await nats.stop()
  await lost

  const meta = { requestId: 'req_1', remainingMs: 60_000 }
  const asked = asking.request(serviceHealth.content, {}, meta).catch((error) => error)
  const outcome = await Promise.race([asked, pause(2_000, 'still waits', { ref: false })])

  await nats.startAgain()
  expect(outcome).toMatchObject({ code: 'unavailable', details: { retry_after_seconds: 2 } })
})

it('a request that no service listens to fails with unavailable at once if the bus was never away', async () => {
  const asking = await open('gateway', nats.urlFor('gateway'))
  const patient = { ...serviceHealth.content, timeoutMs: 60_000 }

  const meta = { requestId: 'req_1', remainingMs: 60_000 }
  const asked = asking.request(patient, {}, meta).catch((error) => error)
  const outcome = await Promise.race([asked, pause(10_000, 'still waits', { ref: false })])

  expect(outcome).toMatchObject({ code: 'unavailable', details: { retry_after_seconds: 1 } })
})

it('a request that finds no listener after the bus returned fails long before its time is over', async () => {
  const bus = await open('gateway', nats.urlFor('gateway'))
  const returned = back(bus)
  await bus.nc.reconnect()
  await returned
  const remainingMs = deleteMe.timeoutMs
  const askedAt = performance.now()

  const asked = bus.request(
    deleteMe,
    { confirm_handle: 'ann' },
    { requestId: 'req_1', remainingMs },
  )

  await expect(asked).rejects.toMatchObject({ code: 'unavailable' })
  expect(performance.now() - askedAt).toBeLessThan(remainingMs / 2)
})

it('a request that found no listener after the bus returned is sent again until a service listens', async () => {
  const serving = await open('scanner', nats.urlFor('scanner'))
  const line = await lineTo(nats.urlFor('gateway'))
  const asking = await open('gateway', line.url)
  const [servingBack, askingBack] = [back(serving), back(asking)]
  line.hold()
  await nats.stop()
  await nats.startAgain()
  await servingBack
  // The asker returns last, because its request waits only a second from then on.
  line.release()
  await askingBack

  const asked = asking.request(
    serviceHealth.scanner,
    {},
    { requestId: 'req_1', remainingMs: 2_000 },
  )
  await asking.settled()
  const well = answer(serviceHealth.scanner, async () =>
    reply({ object: 'health' as const, status: 'ok' as const, parts: {} }),
  )
  await serve(serving, {}, [well], createLogger('scanner', 'silent'))

  expect(await asked).toMatchObject({ status: 'ok' })
  await asking.close()
  await line.close()
})

it('a request that a service has received is sent only once, even after the bus returned', async () => {
  const serving = await open('search', nats.urlFor('search'))
  const asking = await open('gateway', nats.urlFor('gateway'))
  let heard = 0
  const silent = answer(serviceHealth.search, () => {
    heard++
    return new Promise<never>(() => {})
  })
  await serve(serving, {}, [silent], createLogger('search', 'silent'))
  const bothBack = Promise.all([back(serving), back(asking)])
  await nats.stop()
  await nats.startAgain()
  await bothBack
  await serving.settled()

  const meta = { requestId: 'req_1', remainingMs: 1_000 }
  const asked = asking.request(serviceHealth.search, {}, meta)

  await expect(asked).rejects.toMatchObject({ code: 'timeout' })
  expect(heard).toBe(1)
})

it('a service logs the cause of repeated unavailable answers once, without credentials', async () => {
  const serving = await open('content', nats.urlFor('content'))
  const asking = await open('gateway', nats.urlFor('gateway'))
  const { log, lines } = keptLog()
  const away = answer(serviceHealth.content, async () => {
    const cause = Object.assign(new Error('refused by //ada:ses@me@db'), {
      code: '53300',
      detail: 'text',
    })
    throw new AppError('unavailable', {}, { cause })
  })
  await serve(serving, {}, [away], log)

  for (let n = 0; n < 10; n++) {
    const asked = asking.request(
      serviceHealth.content,
      {},
      { requestId: 'req_1', remainingMs: 2_000 },
    )
    await expect(asked).rejects.toMatchObject({ code: 'unavailable' })
  }

  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 40,
      request: 'content.health',
      request_id: 'req_1',
      err: expect.objectContaining({
        cause: { name: 'Error', message: 'refused by //db', code: '53300' },
      }),
    }),
  ])
})

it('a service logs every bug, and answers the caller with internal and no details', async () => {
  const serving = await open('ranking', nats.urlFor('ranking'))
  const asking = await open('gateway', nats.urlFor('gateway'))
  const { log, lines } = keptLog()
  const broken = answer(serviceHealth.ranking, () => Promise.reject(new Error('it is broken')))
  const served = await serve(serving, {}, [broken], log)

  const meta = { requestId: 'req_1', remainingMs: 2_000 }
  for (const _ of [1, 2]) {
    const refused = await asking.request(serviceHealth.ranking, {}, meta).catch((error) => error)
    expect([refused.code, refused.details]).toEqual(['internal', {}])
    expect(refused.message).not.toContain('broken')
  }

  await served.stop()
  const said = {
    ...{ level: 50, msg: 'bug', request: 'ranking.health', request_id: 'req_1' },
    err: expect.objectContaining({ message: 'it is broken' }),
  }
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining(said),
    expect.objectContaining(said),
  ])
})
