import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { STREAMS } from '@stoa/shared/bus/streams.js'
import type { RequestContract } from '@stoa/shared/contracts/contract.js'
import { serviceHealth } from '@stoa/shared/contracts/health.js'
import { generatedPart, ROOT } from './support/documents.ts'
import { OwnNats } from './support/own-nats.ts'

/**
 * These tests speak the wire protocol themselves, so that they check deploy/nats.conf and not what
 * a client does.
 */

const CONFIGURATION = readFileSync(join(ROOT, 'deploy', 'nats.conf'), 'utf8')
const CONTRACTS = join(ROOT, 'packages', 'shared', 'src', 'contracts')

let nats: OwnNats

beforeAll(async () => {
  nats = await OwnNats.start()
})

afterAll(async () => {
  await nats.remove()
})

describe('the permissions of the bus', () => {
  it.each([
    ['gateway', 'PUB', 'rpc.content.create-post'],
    ['gateway', 'SUB', 'forum.post.published'],
    ['gateway', 'SUB', 'changes.appended'],
    ['content', 'PUB', 'forum.post.published'],
    ['content', 'PUB', 'scan.requested'],
    ['content', 'PUB', 'rpc.scanner.scan-submission'],
    ['content', 'SUB', 'rpc.content.create-post'],
    ['content', 'PUB', '_INBOX.gateway.x'],
    ['content', 'PUB', '_INBOX.scanner.x'],
    ['content', 'PUB', '_INBOX.search.x'],
    ['content', 'PUB', '_INBOX.ranking.x'],
    ['scanner', 'PUB', 'scan.completed'],
    ['scanner', 'SUB', 'rpc.scanner.scan-submission'],
    ['scanner', 'PUB', 'rpc.content.get-submissions'],
    ['search', 'PUB', 'dead.search'],
    ['ranking', 'PUB', 'invalidate'],
    ['moderator', 'SUB', 'alert.raised'],
    ['moderator', 'PUB', '$JS.API.CONSUMER.DURABLE.CREATE.ALERTS.mine'],
    ['operator', 'PUB', '$JS.API.STREAM.DELETE.DEAD'],
    ['gateway', 'PUB', 'rpc.ranking.health'],
    ['content', 'PUB', '$JS.API.STREAM.UPDATE.FORUM'],
    ['scanner', 'PUB', '$JS.API.STREAM.PURGE.ATTEMPTS'],
    ['search', 'PUB', '$JS.API.CONSUMER.DELETE.FORUM.its-own'],
    ['search', 'PUB', '$JS.API.CONSUMER.CREATE.FORUM.its-own.forum.post'],
    ['scanner', 'PUB', '$JS.API.CONSUMER.DURABLE.CREATE.SCAN.its-own'],
    ['ranking', 'PUB', '$JS.API.STREAM.CREATE.RANK'],
  ] as const)('let %s %s %s', async (user, verb, subject) => {
    expect(await answerTo(user, verb, subject)).toBe('PONG')
  })

  it.each([
    ['gateway', 'PUB', 'scan.completed'],
    ['gateway', 'SUB', 'rpc.scanner.scan-submission'],
    ['gateway', 'PUB', 'forum.post.published'],
    ['gateway', 'SUB', 'rpc.content.create-post'],
    // The gateway tells its health over HTTP alone.
    ['gateway', 'SUB', 'rpc.gateway.health'],
    ['gateway', 'PUB', '$JS.API.STREAM.DELETE.FORUM'],
    ['content', 'PUB', 'scan.completed'],
    ['content', 'PUB', 'rpc.content.create-post'],
    ['content', 'PUB', '_INBOX.moderator.x'],
    ['content', 'PUB', '_INBOX.operator.x'],
    ['scanner', 'PUB', '_INBOX.gateway.x'],
    ['search', 'PUB', '_INBOX.gateway.x'],
    ['ranking', 'PUB', '_INBOX.gateway.x'],
    ['scanner', 'PUB', 'forum.post.published'],
    ['scanner', 'SUB', 'rpc.content.create-post'],
    ['search', 'PUB', 'scan.completed'],
    ['search', 'PUB', 'invalidate'],
    ['ranking', 'PUB', 'dead.ranking'],
    ['search', 'SUB', '_INBOX.content.x'],
    ['search', 'SUB', 'rpc.scanner.scan-submission'],
    ['search', 'PUB', 'rpc.scanner.scan-submission'],
    ['ranking', 'PUB', 'forum.post.published'],
    ['ranking', 'PUB', 'rpc.ranking.health'],
    ['moderator', 'SUB', 'forum.post.published'],
    ['moderator', 'SUB', '>'],
    ['moderator', 'PUB', 'alert.raised'],
    ['moderator', 'PUB', '$JS.API.CONSUMER.DURABLE.CREATE.FORUM.mine'],
    ['moderator', 'PUB', '$JS.API.STREAM.DELETE.ALERTS'],
    ['content', 'PUB', '$JS.API.STREAM.DELETE.FORUM'],
    ['scanner', 'PUB', '$JS.API.STREAM.DELETE.ATTEMPTS'],
    ['search', 'PUB', '$JS.API.STREAM.MSG.DELETE.DEAD'],
    ['scanner', 'PUB', '$JS.API.CONSUMER.CREATE.ALERTS.mine.alert.raised'],
    ['scanner', 'PUB', '$JS.API.CONSUMER.CREATE.FORUM.SCAN.forum.post'],
    ['scanner', 'PUB', '$JS.API.CONSUMER.DURABLE.CREATE.FORUM.mine'],
    ['scanner', 'PUB', '$JS.API.CONSUMER.DELETE.FORUM.search'],
    ['scanner', 'PUB', '$JS.API.STREAM.SNAPSHOT.ALERTS'],
    ['search', 'PUB', '$JS.API.CONSUMER.MSG.NEXT.SCAN.scanner'],
    ['search', 'PUB', '$JS.API.STREAM.MSG.GET.ALERTS'],
    ['ranking', 'PUB', '$JS.API.CONSUMER.CREATE.FORUM.mine'],
    ['ranking', 'PUB', '$JS.API.STREAM.PURGE.ATTEMPTS'],
  ] as const)('forbid %s to %s %s', async (user, verb, subject) => {
    expect(await answerTo(user, verb, subject)).toContain('Permissions Violation')
  })

  it.each(Object.values(STREAMS).filter(({ name }) => name !== STREAMS.attempts.name))(
    'forbid content, scanner, search and ranking to empty the stream $name',
    async ({ name }) => {
      for (const user of ['content', 'scanner', 'search', 'ranking']) {
        const answer = await answerTo(user, 'PUB', `$JS.API.STREAM.PURGE.${name}`)
        expect(answer).toContain('Permissions Violation')
      }
    },
  )

  it.each(['scanner', 'search', 'ranking'])(
    'let %s answer for as long as the longest timeout of its requests, and no longer',
    async (user) => {
      const [, settings = ''] = CONFIGURATION.split(`user: ${user}\n`)
      const [, seconds] = /expires: "(\d+)s"/.exec(settings.split('user: ')[0] ?? '') ?? []
      const waits = (await contracts()).filter(({ owner }) => owner === user)

      expect(Number(seconds) * 1_000).toBe(Math.max(...waits.map(({ timeoutMs }) => timeoutMs)))
    },
  )

  it.each(['gateway', 'content', 'scanner', 'search', 'ranking'])(
    'let %s send exactly the requests that docs/EVENTS.md lists for it',
    async (user) => {
      const allowed: string[] = []
      for (const { request } of requests()) {
        const answer = await answerTo(user, 'PUB', `rpc.${request}`)
        if (answer === 'PONG') allowed.push(request)
      }

      const asked = requests().filter(({ askers }) => askers.includes(user))
      expect(allowed).toEqual(asked.map(({ request }) => request))
    },
  )

  it('refuse a client without a login', async () => {
    const url = new URL(nats.url)

    expect(await exchange(url.port, {}, 'PUB rpc.content.health 0\r\n\r\n')).toContain(
      'Authorization Violation',
    )
  })
})

/** The requests and their askers, from the table that another test compares with the sources. */
function requests(): { request: string; askers: string[] }[] {
  const rows = generatedPart('docs/EVENTS.md', 'requests').split('\n').slice(2)
  return rows.map((row) => {
    const [, name = '', askers = ''] = row.split('|').map((cell) => cell.trim())
    return { request: name.replaceAll('`', ''), askers: askers.split(', ') }
  })
}

/** Every request that one service may make of another. */
async function contracts(): Promise<RequestContract[]> {
  const found: RequestContract[] = Object.values(serviceHealth)
  for (const file of readdirSync(CONTRACTS).filter((name) => /^[a-z-]+\.ts$/.test(name))) {
    const exported: Record<string, RequestContract> = await import(
      `@stoa/shared/contracts/${file.replace('.ts', '.js')}`
    )
    found.push(...Object.values(exported))
  }
  return found.filter((it) => it.timeoutMs > 0)
}

function answerTo(user: string, verb: 'PUB' | 'SUB', subject: string): Promise<string> {
  const { port, username, password } = new URL(nats.urlFor(user))
  const command = verb === 'PUB' ? `PUB ${subject} 0\r\n\r\n` : `SUB ${subject} 1\r\n`
  return exchange(port, { user: username, pass: password }, command)
}

/** Sends one command and returns the first refusal, or PONG when there is none. */
function exchange(port: string, login: object, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(Number(port), '127.0.0.1')
    socket.setTimeout(30_000, () => socket.destroy(new Error('no answer from NATS')))
    socket.on('error', reject)
    socket.on('connect', () => {
      const options = JSON.stringify({ verbose: false, ...login })
      socket.write(`CONNECT ${options}\r\n${command}PING\r\n`)
    })
    socket.on('data', (chunk) => {
      received += chunk
      const answer = /^(?:-ERR '(.*)'|PONG)\r\n/m.exec(received)
      if (!answer) return
      socket.destroy()
      resolve(answer[1] ?? 'PONG')
    })
  })
}
