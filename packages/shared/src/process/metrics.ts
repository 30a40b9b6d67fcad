import { readdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import type { Logger } from './logger.ts'
import { within } from './within.ts'

/** A circuit breaker as metrics see it; those of opossum fit. */
export interface Breaker {
  /** The name of the other side. */
  readonly name: string
  readonly opened: boolean
  readonly halfOpen: boolean
}

/** A figure that goes up and down. */
export interface Gauge {
  name: string
  help: string
  /** One figure, or one for each of a few things, whose names are values of `label`. */
  value: number | Record<string, number>
  label?: string
}

/** A count since the start of this process, which only grows. */
export interface Count {
  name: string
  help: string
  type: 'counter' | 'histogram'
  /** Each value with the labels after the name, such as `{verdict="allow"}`. */
  values: [rest: string, value: number][]
}

interface Metric extends Omit<Count, 'type'> {
  type: Count['type'] | 'gauge'
}

interface Measured {
  breakers: readonly Breaker[]
  /** Asked with each scrape; only gauges without an answer in time are left out. */
  gauges?: readonly (() => Promise<Gauge[]>)[]
  counts?: () => Count[]
}

/** Twice the time of a health check that waits for something that is away. */
const GAUGES_WITHIN_MS = 4_000
/** How often the delay of the event loop is measured. */
const LOOP_EVERY_MS = 20
const STATES = ['closed', 'open', 'half-open'] as const

/** The text format of Prometheus. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/**
 * Serves `GET /metrics` at an address of its own, `host:port`, because metrics are for operators
 * and the gateway's own address is for everybody. Returns undefined without an address. Throws if
 * nothing can listen there.
 */
export async function serveMetrics(
  address: string,
  measured: Measured,
  log: Logger,
): Promise<Server | undefined> {
  if (address === '') return undefined
  const loop = monitorEventLoopDelay({ resolution: LOOP_EVERY_MS })
  loop.enable()
  const server = createServer((req, res) => {
    if (req.method !== 'GET' || req.url !== '/metrics') {
      res.writeHead(404).end()
      return
    }
    void render(measured, loop).then((text) => {
      res.writeHead(200, { 'content-type': CONTENT_TYPE }).end(text)
    })
  })
  const { hostname, port } = new URL(`http://${address}`)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new Error(`METRICS_LISTEN: nothing can listen at ${address}`, { cause }))
    })
    // Parsing leaves out a port that is the default of the scheme.
    server.listen(Number(port || 80), hostname.replace(/^\[|\]$/g, ''), resolve)
  })
  log.info({ metrics_port: (server.address() as AddressInfo).port }, 'serving metrics')
  return server
}

/** Never rejects: gauges that cannot be read are left out, which an alarm can tell. */
async function render(
  { breakers, gauges = [], counts = () => [] }: Measured,
  loop: IntervalHistogram,
): Promise<string> {
  const found = await Promise.all(gauges.map((ask) => within(GAUGES_WITHIN_MS, ask())))
  const told: Metric[] = [
    breakerStates(breakers),
    ...[ownGauges(loop), ...found].flatMap((some = []) => some.map(asMetric)),
    ...counts(),
  ]
  return told.map(renderMetric).join('')
}

/** The gauges that every process has. */
function ownGauges(loop: IntervalHistogram): Gauge[] {
  const delayMs = Math.max(0, loop.max / 1e6 - LOOP_EVERY_MS)
  loop.reset()
  return [
    {
      name: 'stoa_event_loop_delay_seconds',
      help: 'For how long this process has done one thing and nothing else, at most, since the last scrape.',
      value: delayMs / 1_000,
    },
    {
      name: 'process_resident_memory_bytes',
      help: 'Memory this process holds.',
      value: process.memoryUsage.rss(),
    },
    ...openFiles(),
  ]
}

/** Only Linux tells it. */
function openFiles(): Gauge[] {
  try {
    const value = readdirSync('/proc/self/fd').length
    return [{ name: 'process_open_fds', help: 'Files and sockets this process holds open.', value }]
  } catch {
    return []
  }
}

function asMetric({ name, help, value, label }: Gauge): Metric {
  const values: Metric['values'] =
    typeof value === 'number'
      ? [['', value]]
      : Object.entries(value).map(([thing, one]) => [`{${label}="${thing}"}`, one])
  return { name, help, type: 'gauge', values }
}

function breakerStates(breakers: readonly Breaker[]): Metric {
  return {
    name: 'stoa_circuit_breaker_state',
    help: 'Whether a circuit breaker of this process is in this state.',
    type: 'gauge',
    values: breakers.flatMap((breaker) =>
      STATES.map((state): [string, number] => [
        `{downstream="${breaker.name}",state="${state}"}`,
        stateOf(breaker) === state ? 1 : 0,
      ]),
    ),
  }
}

function renderMetric({ name, help, type, values }: Metric): string {
  const lines = values.map(([rest, value]) => `${name}${rest} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function stateOf(breaker: Breaker): (typeof STATES)[number] {
  if (breaker.halfOpen) return 'half-open'
  return breaker.opened ? 'open' : 'closed'
}
