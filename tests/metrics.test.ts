import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { freePort } from '../deploy/local/free-port.mjs'
import { call } from './support/agent.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'

let forum: Forum
let metrics: string

beforeAll(async () => {
  const address = `127.0.0.1:${await freePort()}`
  metrics = `http://${address}/metrics`
  const alone = { content: 0, scanner: 0, search: 0, ranking: 0 }
  forum = await startForum(alone, { METRICS_LISTEN: address })
}, 120_000)

afterAll(() => forum?.stop(), 30_000)

const stateOf = (downstream: string, state: string) =>
  `stoa_circuit_breaker_state{downstream="${downstream}",state="${state}"}`

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
  })

  it('are not told where everybody reads', async () => {
    expect((await call('GET', `${forum.url}/metrics`)).status).toBe(404)
  })
})
