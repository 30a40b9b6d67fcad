import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { within } from './bus/within.ts'
import type { Logger } from './logger.ts'

/** A circuit breaker as far as it is told of; those of opossum are. */
export interface Breaker {
  /** What is on the other side. */
  readonly name: string
  readonly opened: boolean
  readonly halfOpen: boolean
}

/** A figure that goes up and down. */
export interface Gauge {
  name: string
  help: string
  value: number
}

export interface Measured {
  breakers: readonly Breaker[]
  /** Asked with each scrape; without an answer in time the scrape goes without them. */
  gauges?: () => Promise<Gauge[]>
}

const GAUGES_WITHIN_MS = 2_000
const STATES = ['closed', 'open', 'half-open'] as const

/** The text format of Prometheus. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/**
 * Serves `GET /metrics` at an address of its own, `host:port`: what it tells is for operators, and
 * the gateway's own address is for everybody. Without an address there is nothing to close.
 */
export async function serveMetrics(
  address: string,
  measured: Measured,
  log: Logger,
): Promise<Server | undefined> {
  if (address === '') return undefined
  const server = createServer((req, res) => {
    if (req.method !== 'GET' || req.url !== '/metrics') {
      res.writeHead(404).end()
      return
    }
    void render(measured).then((text) => {
      res.writeHead(200, { 'content-type': CONTENT_TYPE }).end(text)
    })
  })
  const { hostname, port } = new URL(`http://${address}`)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new Error(`METRICS_LISTEN: nothing can listen at ${address}`, { cause }))
    })
    // A port that is the scheme's own is left out of what was parsed.
    server.listen(Number(port || 80), hostname.replace(/^\[|\]$/g, ''), resolve)
  })
  log.info({ metrics_port: (server.address() as AddressInfo).port }, 'serving metrics')
  return server
}

/** Never rejects: what cannot be asked is left out, which an alarm can tell. */
async function render({ breakers, gauges }: Measured): Promise<string> {
  let found: Gauge[] = []
  if (gauges !== undefined) {
    const asking = gauges().then((answer) => {
      found = answer
    })
    await within(GAUGES_WITHIN_MS, asking)
  }
  return renderBreakers(breakers) + found.map(renderGauge).join('')
}

function renderGauge({ name, help, value }: Gauge): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`
}

function renderBreakers(breakers: readonly Breaker[]): string {
  const lines = breakers.flatMap((breaker) =>
    STATES.map((state) => {
      const value = stateOf(breaker) === state ? 1 : 0
      return `stoa_circuit_breaker_state{downstream="${breaker.name}",state="${state}"} ${value}`
    }),
  )
  return [
    '# HELP stoa_circuit_breaker_state Whether a circuit breaker of this process is in this state.',
    '# TYPE stoa_circuit_breaker_state gauge',
    ...lines,
    '',
  ].join('\n')
}

function stateOf(breaker: Breaker): (typeof STATES)[number] {
  if (breaker.halfOpen) return 'half-open'
  return breaker.opened ? 'open' : 'closed'
}
