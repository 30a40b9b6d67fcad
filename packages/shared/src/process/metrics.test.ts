import { afterEach, expect, it } from '@jest/globals'
import { freePort } from '../../../../deploy/local/processes/free-port.mjs'
import { createLogger } from './logger.ts'
import { type Gauge, serveMetrics } from './metrics.ts'

let close = () => {}

afterEach(() => close())

const gauge = (name: string): Gauge => ({ name, help: 'A figure.', value: 1 })

it('the metrics include the available gauges if other gauges fail or do not answer', async () => {
  const address = `127.0.0.1:${await freePort()}`
  const gauges = [
    () => Promise.reject(new Error('away')),
    async () => [gauge('stoa_there')],
    () => new Promise<Gauge[]>(() => {}),
  ]
  const server = await serveMetrics(
    address,
    { breakers: [], gauges },
    createLogger('test', 'silent'),
  )
  close = () => server?.close()

  const text = await (await fetch(`http://${address}/metrics`)).text()

  expect(text).toContain('\nstoa_there 1\n')
  expect(text).not.toContain('undefined')
}, 15_000)
