import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { connectBus } from '@stoa/shared/bus/bus.js'
import { metaFromHeaders } from '@stoa/shared/bus/meta.js'
import { serviceHealth } from '@stoa/shared/contracts/health.js'
import { Redis } from 'ioredis'
import { type Answer, aPost, call, registerAgent, type TestAgent } from './support/agent.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, type ServiceProcess, startForum } from './support/forum.ts'

const ASKED_BY_BUS = ['content', 'search', 'ranking', 'scanner']
/** Every other request reaches the frozen replica, and takes a second or more. */
const BY_CHANCE_WITHIN_MS = 40_000
/**
 * Among so many silent subscribers, no request reaches by chance one of the two replicas that
 * answer.
 */
const SILENT = 1_000

let forum: Forum
let agent: TestAgent

beforeAll(async () => {
  forum = await startForum({ content: 2 })
  agent = await registerAgent(forum.url)
})

afterAll(() => forum?.stop())

const readHealth = () => call('GET', `${forum.url}/api/v1/health`)

/** The names of the parts that have this status. */
function partsThatAre(status: string, { body }: Answer): string[] {
  const parts = Object.entries(body.services as Record<string, { status: string }>)
  return parts.filter(([, part]) => part.status === status).map(([name]) => name)
}

function isWell(): Promise<boolean> {
  return eventually('all is well', async () => (await readHealth()).body.status === 'ok')
}

describe('GET /health', () => {
  it('reports the bus as down and the services as degraded if the bus hangs', async () => {
    await isWell()
    process.kill(forum.nats.pid, 'SIGSTOP')
    try {
      const health = await eventually('it is down', async () => {
        const answer = await readHealth()
        return answer.status === 503 && answer
      })

      expect(partsThatAre('down', health)).toEqual(['bus'])
      expect(partsThatAre('degraded', health)).toEqual(expect.arrayContaining(ASKED_BY_BUS))
    } finally {
      process.kill(forum.nats.pid, 'SIGCONT')
    }
    await isWell()
  })

  it('reports no part as down while one of two replicas of content hangs', async () => {
    await isWell()
    const { child } = forum.processes.find(({ service }) => service === 'content') ?? {}
    child?.kill('SIGSTOP')
    try {
      const down = new Set<string>()
      let degraded = 0
      await eventually(
        'it was degraded three times',
        async () => {
          const answer = await readHealth()
          if (answer.status !== 200) down.add(partsThatAre('down', answer).join())
          if (partsThatAre('degraded', answer).includes('content')) degraded++
          return degraded === 3
        },
        BY_CHANCE_WITHIN_MS,
      )

      expect([...down]).toEqual([])
      // The bus picks a replica for each post by chance, and the frozen one lets posts wait
      // unanswered.
      await eventually(
        'a post is taken',
        async () => {
          const tries = Array.from({ length: 8 }, () =>
            agent.post('/api/v1/communities/general/posts', aPost()),
          )
          return (await Promise.all(tries)).some(({ status }) => status < 300)
        },
        BY_CHANCE_WITHIN_MS,
      )
    } finally {
      child?.kill('SIGCONT')
    }
    await isWell()
  })

  it('stays degraded while a known replica of content hangs, and the gateway logs which one', async () => {
    const { child } = await forum.start('content')
    const hearing = await connectBus('content', forum.nats.urlFor('content'))
    const known = new Set<string>()
    hearing.nc.subscribe(`rpc.${serviceHealth.content.name}.of.*`, {
      callback: (_, { subject }) => void known.add(subject),
    })
    const knowsIt = async () => {
      await isWell()
      return [...known].some((subject) => subject.includes(`-${child.pid}-`))
    }
    await eventually('it knows the replica', knowsIt, BY_CHANCE_WITHIN_MS)

    child.kill('SIGSTOP')
    const isDegraded = async () => partsThatAre('degraded', await readHealth()).includes('content')
    await eventually('it is degraded', isDegraded)
    const after: boolean[] = []
    for (let n = 0; n < 6; n++) after.push(await isDegraded())
    child.kill('SIGCONT')
    await isWell()
    child.kill('SIGKILL')
    await isWell()

    await hearing.close()
    expect(after).toEqual(after.map(() => true))
    const { log } = forum.processes.find(({ service }) => service === 'gateway') as ServiceProcess
    const said = log.filter((line) => line.includes(`-${child.pid}-`))
    expect(said.map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'a replica hangs', downstream: 'content' },
      { msg: 'a replica answers again', downstream: 'content' },
    ])
  })

  it('reports content as degraded, not down, if two of very many replicas answer, and asks each request once', async () => {
    await isWell()
    const silent = await connectBus('content', forum.nats.urlFor('content'))
    const subject = `rpc.${serviceHealth.content.name}`
    const asked = { queue: 'content', callback: () => {} }
    for (let n = 0; n < SILENT; n++) silent.nc.subscribe(subject, asked)
    // This hears every question, whichever replica the bus gives it to.
    const questions: string[] = []
    silent.nc.subscribe(subject, {
      callback: (_, { headers }) => {
        questions.push(metaFromHeaders(headers).requestId)
      },
    })
    await silent.settled()
    try {
      const health = await eventually('it is not well', async () => {
        const answer = await readHealth()
        return answer.body.status !== 'ok' && answer
      })

      expect(partsThatAre('down', health)).toEqual([])
      expect(partsThatAre('degraded', health)).toEqual(['content'])
      await silent.settled()
      expect(questions).toContain(health.headers['x-request-id'])
      expect(questions).toEqual([...new Set(questions)])
    } finally {
      await silent.close()
    }
    await isWell()
  })

  it('reports Redis as degraded if it answers but accepts no writes', async () => {
    await isWell()
    const redis = new Redis(forum.redis.url)
    await redis.config('SET', 'maxmemory', '1')
    try {
      const health = await eventually('it is degraded', async () => {
        const answer = await readHealth()
        return answer.body.status === 'degraded' && answer
      })

      expect(partsThatAre('degraded', health)).toEqual(['ranking', 'cache'])
    } finally {
      await redis.config('SET', 'maxmemory', '0')
      redis.disconnect()
    }
    await isWell()
  })

  it('does not report the database as down if no replica of content is there to ask it', async () => {
    await isWell()
    await forum.kill('content')

    const health = await eventually('it is down', async () => {
      const answer = await readHealth()
      return answer.status === 503 && answer
    })

    expect(partsThatAre('down', health)).toEqual(['content'])
    expect(health.body.services.database.status).toBe('degraded')
  })
})
