import type { RawAnswer } from '@stoa/shared/bus/bus.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import type { ServiceName } from '@stoa/shared/contract.js'
import {
  type HEALTH_PARTS,
  type PartStatus,
  type ServiceHealth,
  serviceHealth,
} from '@stoa/shared/contracts/health.js'
import type { Core } from './core.ts'
import { VERSION } from './version.ts'

type Part = (typeof HEALTH_PARTS)[number]
type Parts = Record<Part, { status: PartStatus; latency_ms: number }>

interface Probe {
  health: ServiceHealth | null
  latencyMs: number
}

const KEPT_MS = 1_000
const kept = new WeakMap<Core, { at: number; answer: Promise<RawAnswer> }>()

/** What the service and its parts say of themselves, at most a second old. */
export function readHealth(core: Core, _input: object, meta: Meta): Promise<RawAnswer> {
  const before = kept.get(core)
  if (before && Date.now() - before.at < KEPT_MS) return before.answer
  const answer = probeAll(core, meta)
  kept.set(core, { at: Date.now(), answer })
  return answer
}

/** 503 only when nothing works; a service that is merely plainer still answers 200. */
export function healthStatus(json: Uint8Array): number {
  return JSON.parse(Buffer.from(json).toString()).status === 'down' ? 503 : 200
}

async function probeAll(core: Core, meta: Meta): Promise<RawAnswer> {
  const [content, search, ranking, scanner, cache] = await Promise.all([
    probe(core, 'content', meta),
    probe(core, 'search', meta),
    probe(core, 'ranking', meta),
    probe(core, 'scanner', meta),
    timed(() => core.redisAnswers()),
  ])
  const services: Parts = {
    content: partOf(content),
    search: partOf(search),
    ranking: partOf(ranking),
    scanner: partOf(scanner),
    database: {
      status: content.health?.parts.database ?? (content.health ? content.health.status : 'down'),
      latency_ms: round(content.latencyMs),
    },
    bus: { status: core.bus.connected() ? 'ok' : 'down', latency_ms: 0 },
    cache: { status: cache.value ? 'ok' : 'down', latency_ms: round(cache.latencyMs) },
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

/** Without these nothing can be read or written; the others only make the service plainer. */
const VITAL: Part[] = ['content', 'database', 'bus']

function overall(services: Parts): PartStatus {
  if (VITAL.some((part) => services[part].status === 'down')) return 'down'
  const isWell = Object.values(services).every(({ status }) => status === 'ok')
  return isWell ? 'ok' : 'degraded'
}

/** Past the breaker: a probe must see a service that has come back. */
async function probe(core: Core, name: ServiceName, meta: Meta): Promise<Probe> {
  const { value, latencyMs } = await timed(() => core.bus.request(serviceHealth[name], {}, meta))
  return { health: value ?? null, latencyMs }
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

function partOf({ health, latencyMs }: Probe) {
  return { status: health?.status ?? ('down' as const), latency_ms: round(latencyMs) }
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10
}
