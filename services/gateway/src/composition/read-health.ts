import { parseAnswer, type RawAnswer } from '@stoa/shared/bus/ask.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { ofEach } from '@stoa/shared/contracts/contract.js'
import {
  type HEALTH_PARTS,
  type PartStatus,
  type ServiceHealth,
  serviceHealth,
} from '@stoa/shared/contracts/health.js'
import { uuidV7 } from '@stoa/shared/identifiers/ids.js'
import type { Gauge } from '@stoa/shared/process/metrics.js'
import type { Core } from '../core.ts'
import { VERSION } from '../version.ts'

type Part = (typeof HEALTH_PARTS)[number]
type Parts = Record<Part, { status: PartStatus; latency_ms: number }>

interface Probe {
  /** What the service said of itself; null if no replica answered. */
  health: ServiceHealth | null
  /** The status, as far as the gateway can tell. */
  status: PartStatus
  latencyMs: number
}

const KEPT_MS = 1_000
const kept = new WeakMap<Core, { at: number; answer: Promise<RawAnswer> }>()

/** What the service and its parts say of themselves, at most a second old. */
export function readHealth(core: Core, _input: object, meta: Meta): Promise<RawAnswer> {
  const before = kept.get(core)
  if (before && performance.now() - before.at < KEPT_MS) return before.answer
  const answer = probeAll(core, meta)
  kept.set(core, { at: performance.now(), answer })
  return answer
}

/** 503 only if nothing works; a service that only lacks some functions still answers 200. */
export function healthStatus(json: Uint8Array): number {
  return parseAnswer<{ status: PartStatus }>({ json }).status === 'down' ? 503 : 200
}

const AS_FIGURE: Record<PartStatus, number> = { ok: 1, degraded: 0.5, down: 0 }
const WITHIN_MS = 2_000

/** The same health as gauges. */
export async function readHealthGauges(core: Core): Promise<Gauge[]> {
  const { json } = await readHealth(core, {}, { requestId: uuidV7(), remainingMs: WITHIN_MS })
  const { services } = parseAnswer<{ services: Parts }>({ json })
  const figures = Object.entries(services).map(([part, { status }]) => [part, AS_FIGURE[status]])
  return [
    {
      name: 'stoa_health',
      help: 'What the health says of each part: 1 ok, 0.5 degraded, 0 down.',
      label: 'part',
      value: Object.fromEntries(figures),
    },
  ]
}

async function probeAll(core: Core, { isSafe: _, ...meta }: Meta): Promise<RawAnswer> {
  // Without `isSafe` the bus asks only once: a second try would reach another replica, which would
  // answer for the one that hangs.
  const busAnswers = timed(() => core.bus.answers())
  const hasBus = busAnswers.then(({ value }) => value === true)
  const [content, search, ranking, scanner, bus, cache] = await Promise.all([
    probe(core, 'content', meta, hasBus),
    probe(core, 'search', meta, hasBus),
    probe(core, 'ranking', meta, hasBus),
    probe(core, 'scanner', meta, hasBus),
    busAnswers,
    timed(() => core.redisStatus()),
  ])
  const services: Parts = {
    content: partOf(content),
    search: partOf(search),
    ranking: partOf(ranking),
    scanner: partOf(scanner),
    database: {
      status: content.health?.parts.database ?? UNKNOWN,
      latency_ms: round(content.latencyMs),
    },
    bus: { status: bus.value ? 'ok' : 'down', latency_ms: round(bus.latencyMs) },
    cache: { status: cache.value ?? 'down', latency_ms: round(cache.latencyMs) },
  }
  const body = {
    object: 'health',
    status: overall(services),
    version: VERSION,
    time: new Date().toISOString(),
    services,
  }
  return { json: Buffer.from(JSON.stringify(body)), meta: {} }
}

/**
 * Without these parts nothing can be read or written; without the others only some functions are
 * missing.
 */
const VITAL: Part[] = ['content', 'database', 'bus']

function overall(services: Parts): PartStatus {
  if (VITAL.some((part) => services[part].status === 'down')) return 'down'
  const isWell = Object.values(services).every(({ status }) => status === 'ok')
  return isWell ? 'ok' : 'degraded'
}

/** The status of a part that cannot be asked, because what leads to it is down. */
const UNKNOWN: PartStatus = 'degraded'

/**
 * A service is down if none of its replicas answers. It is degraded if some do not: those that
 * answered before, and the one to which the bus gave the question.
 */
async function probe(
  core: Core,
  name: keyof Core['replicas'],
  meta: Meta,
  hasBus: Promise<boolean>,
): Promise<Probe> {
  // Not through the breaker: a probe must see a service that has come back.
  const contract = serviceHealth[name]
  const replicas = core.replicas[name]
  const [{ value, latencyMs }, allAnswer] = await Promise.all([
    timed(() => replicas.askAny(meta)),
    replicas.allAnswer(meta, hasBus),
  ])
  if (value) {
    return { health: value, status: allAnswer ? value.status : worseOf(value.status), latencyMs }
  }
  if (!(await hasBus)) return { health: null, status: UNKNOWN, latencyMs }
  const { value: other } = await timed(() => core.bus.request(ofEach(contract), {}, meta))
  const health = other ?? null
  return { health, status: health ? worseOf(health.status) : 'down', latencyMs }
}

function worseOf(status: PartStatus): PartStatus {
  return status === 'ok' ? 'degraded' : status
}

async function timed<T>(work: () => Promise<T>): Promise<{ value?: T; latencyMs: number }> {
  const startedAt = performance.now()
  const elapsed = () => performance.now() - startedAt
  try {
    const value = await work()
    return { value, latencyMs: elapsed() }
  } catch {
    return { latencyMs: elapsed() }
  }
}

function partOf({ status, latencyMs }: Probe) {
  return { status, latency_ms: round(latencyMs) }
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10
}
