import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { freePort } from '../deploy/local/processes/free-port.mjs'
import { aPost, call, type Json, registerAgent } from './support/agent.ts'
import { readDocument } from './support/documents.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'

let forum: Forum
let metrics: string

beforeAll(async () => {
  const address = await freeAddress()
  metrics = `http://${address}/metrics`
  const alone = { content: 0, scanner: 0, search: 0, ranking: 0 }
  forum = await startForum(alone, { METRICS_LISTEN: address })
})

afterAll(() => forum?.stop())

/** So many early scans must fail before the breaker opens. */
const ENOUGH = 8

async function freeAddress(): Promise<string> {
  return `127.0.0.1:${await freePort()}`
}

/** Returns a function that reads a gauge at this address by its name. */
function gaugesAt(address: string) {
  return async (name: string) => {
    const { text } = await call('GET', `http://${address}/metrics`)
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  }
}

const stateOf = (downstream: string, state: string) =>
  `stoa_circuit_breaker_state{downstream="${downstream}",state="${state}"}`

/** Whether the exported state of the breaker is the one that its alarm waits for. */
function isAlarming(text: string, downstream: string): boolean {
  const { groups } = parse(readDocument('deploy/monitoring/alarms.yml'))
  const [{ expr }] = groups[0].rules.filter(({ alert }: Json) => alert === 'CircuitBreakerOpen')
  const [, state = ''] = /state="([a-z-]+)"/.exec(expr) ?? []
  const [, value] = / == (\d)$/.exec(expr) ?? []
  return text.includes(`${stateOf(downstream, state)} ${value}\n`)
}

describe('the metrics of a gateway', () => {
  it('tell which circuit breaker is open', async () => {
    const before = await call('GET', metrics)
    expect(before.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(before.text).toContain(`${stateOf('content', 'closed')} 1\n`)
    expect(before.text).toContain(`${stateOf('content', 'open')} 0\n`)

    const after = await eventually('the breaker before content opens', async () => {
      await call('GET', `${forum.url}/api/v1/feed?sort=new`)
      const { text } = await call('GET', metrics)
      return text.includes(`${stateOf('content', 'open')} 1\n`) && text
    })

    expect(after).toContain(`${stateOf('content', 'closed')} 0\n`)
    expect(after).toContain(`${stateOf('redis', 'closed')} 1\n`)
    expect(isAlarming(after, 'content')).toBe(true)
    expect(isAlarming(after, 'redis')).toBe(false)
  })

  it('raise no alarm about a breaker that is half-open because nobody asks', async () => {
    const text = await eventually('the breaker would try again', async () => {
      const { text: scraped } = await call('GET', metrics)
      return scraped.includes(`${stateOf('content', 'half-open')} 1\n`) && scraped
    })

    expect(isAlarming(text, 'content')).toBe(false)
  })

  it('include the parts of the health and figures of the process', async () => {
    // Redis has half a second to answer, which may pass on a busy machine.
    const text = await eventually('Redis is seen to be well', async () => {
      const { text: scraped } = await call('GET', metrics)
      return scraped.includes('stoa_health{part="cache"} 1\n') && scraped
    })

    expect(text).toContain('stoa_health{part="content"} 0\n')
    expect(text).toMatch(/^process_resident_memory_bytes \d{8,}$/m)
    expect(text).toMatch(/^process_open_fds \d+$/m)
    expect(text).toMatch(/^stoa_event_loop_delay_seconds [\d.e-]+$/m)
  })

  it('count answers by class, status and time', async () => {
    await call('POST', `${forum.url}/api/v1/communities/general/posts`, { body: aPost() })
    await call('GET', `${forum.url}/api/v1/feed?sort=new`)

    const { text } = await call('GET', metrics)
    expect(text).toContain('# TYPE stoa_answers_total counter\n')
    expect(text).toContain('stoa_answers_total{class="post",status="4xx"} 1\n')
    expect(text).toMatch(/^stoa_answers_total\{class="read",status="5xx"\} [1-9]\d*$/m)
    expect(text).toContain('# TYPE stoa_answer_seconds histogram\n')
    expect(text).toContain('stoa_answer_seconds_bucket{class="post",le="+Inf"} 1\n')
    expect(text).toMatch(/^stoa_answer_seconds_sum\{class="post"\} 0\.\d+$/m)
    expect(text).toContain('stoa_answer_seconds_count{class="post"} 1\n')
  })

  it('are not served at the public address', async () => {
    expect((await call('GET', `${forum.url}/metrics`)).status).toBe(404)
  })
})

describe('the metrics of the services behind the gateway', () => {
  it('show the open breaker before the scanner and the texts that wait for a scan', async () => {
    const address = await freeAddress()
    await forum.start('content', { METRICS_LISTEN: address })
    await forum.start('scanner', { METRICS_LISTEN: '' })
    const agent = await eventually('content answers', () =>
      registerAgent(forum.url).catch(() => undefined),
    )
    await forum.kill('scanner')

    // All at once: after the first that has waited for no answer, later ones do not ask a scanner.
    const posting = Promise.all(
      Array.from({ length: ENOUGH }, () =>
        agent.post('/api/v1/communities/general/posts', aPost()),
      ),
    )
    const told = await eventually('the breaker before the scanner opens', async () => {
      const { text } = await call('GET', `http://${address}/metrics`)
      return text.includes(`${stateOf('scanner', 'open')} 1\n`) && text
    })
    await posting

    expect(told).toContain(`${stateOf('scanner', 'closed')} 0\n`)
    const gauge = gaugesAt(address)
    await eventually('all texts are counted as unscanned', async () => {
      return (await gauge('stoa_unscanned_texts')) >= ENOUGH
    })
    expect(await gauge('stoa_unscanned_age_seconds')).toBeGreaterThan(0)
    await eventually('nothing waits for the bus', async () => {
      return (await gauge('stoa_unsent_events')) === 0
    })
    expect(await gauge('stoa_dead_letters')).toBe(0)
    expect(await gauge('stoa_database_pool_waiting')).toBe(0)
  })

  it('count cached answers, and scans by their verdict', async () => {
    const address = await freeAddress()
    await forum.start('scanner', { METRICS_LISTEN: address })
    const agent = await registerAgent(forum.url)
    const kept = async () => {
      await call('GET', `${forum.url}/api/v1/communities`)
      const { text } = await call('GET', metrics)
      return /^stoa_kept_answers_total\{class="read"\} [1-9]\d*$/m.test(text)
    }

    expect(await eventually('an answer is at hand', kept)).toBe(true)
    await agent.post('/api/v1/communities/general/posts', aPost())
    const { text } = await call('GET', `http://${address}/metrics`)
    expect(text).toMatch(/^stoa_scans_total\{verdict="allow"\} [1-9]\d*$/m)
    expect(text).toContain('stoa_scans_total{verdict="block"} 0\n')
  })

  it('show the open breaker before Meilisearch', async () => {
    const address = await freeAddress()
    const away = `http://${await freeAddress()}`
    await forum.start('search', { METRICS_LISTEN: address, MEILI_URL: away })

    const told = await eventually('the breaker before Meilisearch opens', async () => {
      await call('GET', `${forum.url}/api/v1/search?q=cache`)
      const { text } = await call('GET', `http://${address}/metrics`)
      return text.includes(`${stateOf('meilisearch', 'open')} 1\n`) && text
    })

    expect(told).toContain(`${stateOf('meilisearch', 'closed')} 0\n`)
  })
})
