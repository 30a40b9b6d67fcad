import { z } from 'zod'
import { Time } from './common.ts'
import { defineRequest, type RequestContract, type ServiceName } from './contract.ts'

export const PartStatus = z.enum(['ok', 'degraded', 'down'])
export type PartStatus = z.output<typeof PartStatus>

export const PartHealth = z.object({ status: PartStatus, latency_ms: z.number() })

export const HEALTH_PARTS = [
  'content',
  'search',
  'ranking',
  'scanner',
  'database',
  'bus',
  'cache',
] as const

export const Health = z.object({
  object: z.literal('health'),
  status: PartStatus,
  version: z.string(),
  time: Time,
  services: z.object(
    Object.fromEntries(HEALTH_PARTS.map((part) => [part, PartHealth])) as Record<
      (typeof HEALTH_PARTS)[number],
      typeof PartHealth
    >,
  ),
})

const HEALTH_TIMEOUT_MS = 1_000

/** What a service says of itself and of the stores that it depends on. */
export interface ServiceHealth {
  object: 'health'
  status: PartStatus
  parts: Record<string, PartStatus>
}

function healthOf(service: ServiceName) {
  return defineRequest({
    name: `${service}.health`,
    input: z.object({}),
    output: z.custom<ServiceHealth>(),
    timeoutMs: HEALTH_TIMEOUT_MS,
    isForEach: true,
  })
}

export const serviceHealth = {
  /** The health of the HTTP interface alone, which nobody asks for on the bus. */
  gateway: healthOf('gateway'),
  content: healthOf('content'),
  scanner: healthOf('scanner'),
  search: healthOf('search'),
  ranking: healthOf('ranking'),
} satisfies Record<ServiceName, RequestContract>
