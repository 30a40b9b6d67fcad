import dns, { type LookupAllOptions } from 'node:dns'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { connectBus } from '@stoa/shared/bus/bus.js'
import { deleteMe } from '@stoa/shared/contracts/agents.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { freePort } from '../../../../deploy/local/processes/free-port.mjs'
import { eventually } from '../../../../tests/support/eventually.ts'
import { webhookCommands } from '../admin/webhooks.ts'
import { openDatabase } from '../database.ts'
import { saveAttempt } from '../tables/webhook-deliveries.ts'
import { ModeratedForum } from '../testing/moderated-forum.ts'
import { postMessage } from './post-message.ts'
import { readSecret, signedHeaders } from './signature.ts'
import { webhookConfig, webhookSettings } from './webhook-config.ts'

interface Received {
  headers: IncomingHttpHeaders
  body: string
}

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const NEVER = new AbortController().signal

let forum: ModeratedForum
let metrics: string
let receiver: Server
let port: number
let received: Received[] = []
/** The status of each answer of the receiver; the last one repeats. */
let statuses: number[] = [200]
/** Whether the other address answers nothing; otherwise it takes all it is sent. */
let otherHangs = false
/** The ids of the messages that the other address did not answer. */
let unanswered: unknown[] = []

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => {
      body += part.toString()
    })
    request.on('end', () => {
      if (request.url === '/other') {
        if (otherHangs) unanswered.push(request.headers['webhook-id'])
        else response.end()
        return
      }
      received.push({ headers: request.headers, body })
      const status = statuses.length > 1 ? statuses.shift() : statuses[0]
      response.writeHead(status ?? 200, { location: `http://127.0.0.1:${port}/elsewhere` })
      response.end()
    })
  })
  await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready))
  port = (receiver.address() as AddressInfo).port
  const address = `127.0.0.1:${await freePort()}`
  metrics = `http://${address}/metrics`
  forum = await ModeratedForum.start({
    METRICS_LISTEN: address,
    WEBHOOK_URLS: `http://127.0.0.1:${port}/hook,http://127.0.0.1:${port}/other`,
    WEBHOOK_SECRET: SECRET,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_RETRY_MS: '10',
  })
})

beforeEach(() => {
  received = []
  statuses = [200]
})

afterAll(async () => {
  await forum.content.stop()
  receiver.close()
})

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

const arrived = (count: number) =>
  eventually(`${count} calls`, async () => received.length >= count && received)

/** Runs a command of the operator. */
async function admin(name: string, words: string[] = []): Promise<string[] | undefined> {
  const db = openDatabase(forum.content.databaseUrl, 2, createLogger('test', 'silent'))
  try {
    return await webhookCommands[name]?.run(db, words)
  } finally {
    await db.close()
  }
}

/** Raises an alert that the receiver refuses for good; it takes all later ones. */
async function givenUp(raise: () => Promise<unknown>): Promise<string> {
  statuses = [410, 200]
  await raise()
  const [call] = await arrived(1)
  const eventId = String(call?.headers['webhook-id'])
  await eventually('it is listed', async () =>
    (await admin('webhook dead'))?.some((line) => line.includes(eventId)),
  )
  return eventId
}

describe('a webhook', () => {
  it('delivers an alert with a valid signature', async () => {
    const id = await forum.publicPost('FLAGME')

    const [call] = await arrived(1)

    const { headers, body } = call as Received
    const event = JSON.parse(body)
    expect(event).toMatchObject({ specversion: '1.0', type: 'dev.stoa.alert.raised' })
    expect(event.data.alert.target.id).toBe(id)
    expect(headers['webhook-id']).toBe(event.id)
    // Receivers need both headers, and many read no body without them.
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    })
    const expected = signedHeaders(
      { id: event.id, body, atMs: Number(headers['webhook-timestamp']) * 1000 },
      [readSecret(SECRET) as Buffer],
    )
    expect(headers).toMatchObject(expected)
  })

  it('delivers the decision about an alert', async () => {
    const id = await forum.publicPost('FLAGME')
    await arrived(1)

    await forum.resolve((await forum.onlyAlert(id)).id, 'approve')

    const [, decided] = await arrived(2)
    expect(JSON.parse((decided as Received).body)).toMatchObject({
      type: 'dev.stoa.alert.resolved',
      data: { alert: { target: { id }, status: 'resolved' } },
    })
  })

  it('is sent again under the same id until it is accepted, and follows no redirect', async () => {
    statuses = [500, 302, 204]
    await forum.publicPost('FLAGME')

    const calls = await arrived(3)

    expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    await eventually('it is done', async () => {
      const { rows } = await forum.content.db.query(
        'SELECT delivered_at FROM webhook_deliveries WHERE event_id = $1',
        [calls[0]?.headers['webhook-id']],
      )
      return rows[0].delivered_at !== null
    })
    expect(received).toHaveLength(3)
  })

  it('is sent to one address while another address does not answer', async () => {
    otherHangs = true
    await forum.publicPost('FLAGME')
    await arrived(1)
    await forum.publicPost('FLAGME')

    // An address has 15 seconds to answer.
    const second = eventually('the second', async () => received.length > 1, 10_000)
    await second.finally(() => {
      otherHangs = false
      receiver.closeAllConnections()
    })
    await eventually('nothing is left to send', async () => {
      const { rows } = await forum.content.db.query(
        'SELECT FROM webhook_deliveries WHERE delivered_at IS NULL AND dead_at IS NULL',
      )
      return rows.length === 0
    })
  })

  it('is sent again if an address does not answer within 15 seconds', async () => {
    otherHangs = true
    unanswered = []
    await forum.publicPost('FLAGME')
    const [first] = await eventually('a call', async () => unanswered.length > 0 && unanswered)

    // The garbage collector must not take the timer of a waiting message.
    collectGarbage()
    const isRepeated = async () => unanswered.filter((id) => id === first).length > 1
    const again = eventually('the same again', isRepeated)
    await again.finally(() => {
      otherHangs = false
      receiver.closeAllConnections()
    })
  })

  it('is given up if the receiver answers 410, until the operator replays it', async () => {
    const eventId = await givenUp(() => forum.publicPost('FLAGME'))

    const said = await admin('webhook replay', [eventId])
    await arrived(2)

    expect(said).toEqual(['1 delivery will be sent again.'])
    const replayed = admin('webhook replay', [eventId])
    await expect(replayed).rejects.toThrow(`No delivery of ${eventId} has been given up.`)
  })

  it('counts in the metrics while it is undelivered, and after it was given up', async () => {
    const gauge = async (name: string) => {
      const text = await (await fetch(metrics)).text()
      return Number(new RegExp(`^${name} ([\\d.]+)$`, 'm').exec(text)?.[1])
    }
    const age = () => gauge('stoa_undelivered_age_seconds')
    const givenUpNow = () => gauge('stoa_webhooks_given_up')
    await eventually('all is taken', async () => (await age()) === 0)
    const before = await givenUpNow()
    statuses = [500]
    await forum.publicPost('FLAGME')
    await eventually('it waits', async () => (await age()) > 0)
    expect(await givenUpNow()).toBe(before)

    statuses = [410]

    await eventually('it is given up', async () => (await givenUpNow()) === before + 1)
    expect(await age()).toBe(0)
    statuses = [200]
    await admin('webhook replay', [String(received[0]?.headers['webhook-id'])])
    expect(await givenUpNow()).toBe(before)
    await eventually('it is taken', async () => (await age()) === 0)
  })

  it('is sent again after ever longer waits, and given up after ten attempts', async () => {
    statuses = [500]
    await forum.publicPost('FLAGME')
    const [call] = await arrived(1)
    const id = call?.headers['webhook-id']
    const comesTo = (what: string, condition: string) =>
      eventually(what, async () => {
        const where = `event_id = $1 AND last_status = 500 AND ${condition}`
        const { rows } = await forum.content.db.query(
          `SELECT FROM webhook_deliveries WHERE ${where}`,
          [id],
        )
        return rows.length > 0
      })
    const wait = (attempts: number) =>
      forum.content.db.query(
        `UPDATE webhook_deliveries SET attempts = $2, next_at = now()
         WHERE event_id = $1 AND delivered_at IS NULL`,
        [id, attempts],
      )
    await comesTo('the first is noted', "next_at < now() + interval '10 seconds'")

    await wait(8)
    await comesTo('it waits long', "attempts = 9 AND next_at > now() + interval '8 minutes'")
    await wait(9)
    await comesTo('it is given up', 'attempts = 10 AND dead_at IS NOT NULL')
  })

  it('is not sent for an event that is a day old', async () => {
    await forum.publicPost('FLAGME')
    const [call] = await arrived(1)
    const event = JSON.parse((call as Received).body)
    const time = new Date(Date.parse(event.time) - 24 * 3_600_000).toISOString()
    const old = { ...event, id: 'evt_of_yesterday', time }
    const operator = await connectBus('content', forum.content.nats.url)
    await operator.publish('alert.raised', JSON.stringify(old), old.id)
    await operator.close()

    // Stored after it.
    await forum.publicPost('FLAGME')
    await arrived(2)

    const { rows } = await forum.content.db.query(
      'SELECT FROM webhook_deliveries WHERE event_id = $1',
      [old.id],
    )
    expect(rows).toEqual([])
  })

  it('is not sent again if the bus delivers its event twice or a late attempt is noted', async () => {
    await forum.publicPost('FLAGME')
    const [call] = await arrived(1)
    const { body } = call as Received
    const { id } = JSON.parse(body)
    const { db } = forum.content
    const delivered = (eventId: unknown) =>
      eventually('it is delivered', async () => {
        const where = 'event_id = $1 AND delivered_at IS NULL'
        const { rows } = await db.query(`SELECT FROM webhook_deliveries WHERE ${where}`, [eventId])
        return rows.length === 0
      })
    await delivered(id)
    const { rows } = await db.query('SELECT * FROM webhook_deliveries WHERE event_id = $1', [id])
    const late = openDatabase(forum.content.databaseUrl, 1, createLogger('test', 'silent'))
    await late.transaction(async (tx) => {
      for (const one of rows) saveAttempt(tx, one, null, { kind: 'again', afterMs: 0 })
    })
    await late.close()
    const operator = await connectBus('content', forum.content.nats.url)
    await operator.publish('alert.raised', body, 'told again')
    await operator.close()

    // Stored after it.
    await forum.publicPost('FLAGME')
    const [, next] = await arrived(2)
    await delivered(next?.headers['webhook-id'])

    expect(received.filter(({ headers }) => headers['webhook-id'] === id)).toHaveLength(1)
  })

  it('that is replayed quotes nothing of an agent that has deleted its account', async () => {
    const agent = await forum.content.register()
    const eventId = await givenUp(() => forum.content.post(agent, { body_md: 'FLAGME' }))
    await forum.content.ask(deleteMe, { confirm_handle: agent.handle }, agent)

    await admin('webhook replay', [eventId])
    const [first, { headers, body }] = await eventually('it comes once more', async () => {
      const sent = received.filter((one) => one.headers['webhook-id'] === eventId)
      return sent.length === 2 && (sent as [Received, Received])
    })

    const told = JSON.parse(first.body)
    const { alert } = told.data
    expect(alert.excerpt).toContain('FLAGME')
    expect(JSON.parse(body)).toEqual({
      ...told,
      data: { alert: { ...alert, excerpt: '', findings: [] } },
    })
    const atMs = Number(headers['webhook-timestamp']) * 1000
    expect(headers).toMatchObject(
      signedHeaders({ id: eventId, body, atMs }, [readSecret(SECRET) as Buffer]),
    )
  })
})

describe('a webhook message to a private address', () => {
  const body = '{}'

  it('is refused if the address is given literally', async () => {
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433']) {
      const url = `http://${host}:${port}/hook`
      await expect(postMessage({ url, headers: {}, body }, false, NEVER)).rejects.toThrow()
    }
    expect(received).toEqual([])
  })

  it('is refused if a name resolves to the address', async () => {
    const url = `http://localhost:${port}/hook`

    await expect(postMessage({ url, headers: {}, body }, false, NEVER)).rejects.toThrow('private')

    expect(received).toEqual([])
  })

  it('is sent if the operator allows private addresses', async () => {
    const url = `http://localhost:${port}/other`

    expect(await postMessage({ url, headers: {}, body }, true, NEVER)).toBe(200)
  })

  it('is refused if a name resolves to a public address too', async () => {
    const addresses = ['8.8.8.8', '127.0.0.1'].map((address) => ({ address, family: 4 }))
    const resolve = (
      _: string,
      __: LookupAllOptions,
      answer: (error: null, all: object[]) => void,
    ) => answer(null, addresses)
    const lookup = jest.spyOn(dns, 'lookup').mockImplementation(resolve as typeof dns.lookup)
    const url = `http://hooks.example:${port}/hook`

    const sent = postMessage({ url, headers: {}, body }, false, NEVER)

    await expect(sent.finally(() => lookup.mockRestore())).rejects.toThrow('private')
    expect(received).toEqual([])
  })
})

describe('the webhook settings', () => {
  const given = {
    WEBHOOK_URLS: ['https://hooks.example/a'],
    WEBHOOK_SECRET: [SECRET],
    WEBHOOK_ALLOW_PRIVATE: false,
    WEBHOOK_RETRY_MS: 5_000,
  }

  it.each([
    ['ftp://hooks.example', 'is not an http or https address'],
    ['https://ada:open-sesame@hooks.example', 'contains a user name'],
  ])('refuse the address %s', (address, reason) => {
    const { error } = webhookConfig.WEBHOOK_URLS.safeParse(address)

    expect(error?.issues.map(({ message }) => message)).toEqual([reason])
  })

  it('refuse more than ten addresses', () => {
    const addresses = Array.from({ length: 11 }, (_, n) => `https://hooks.example/${n}`)
    const parsed = (count: number) =>
      webhookConfig.WEBHOOK_URLS.safeParse(addresses.slice(0, count).join())

    expect(parsed(10).data).toHaveLength(10)
    expect(parsed(11).success).toBe(false)
  })

  it('are absent without an address, and require a secret and https', () => {
    expect(webhookSettings({ ...given, WEBHOOK_URLS: [] })).toBeUndefined()
    expect(webhookSettings(given)?.secrets).toHaveLength(1)
    expect(() => webhookSettings({ ...given, WEBHOOK_SECRET: [] })).toThrow('WEBHOOK_SECRET')
    expect(() => webhookSettings({ ...given, WEBHOOK_URLS: ['http://hooks.example'] })).toThrow(
      'https',
    )
  })
})
