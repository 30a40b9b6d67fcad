import {
  DiscardPolicy,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/nats-core'

const NANOS = 1_000_000
const HOUR_MS = 3_600_000
const GIB = 1024 ** 3

export type Stream = Pick<
  StreamConfig,
  'name' | 'subjects' | 'retention' | 'discard' | 'max_bytes'
> &
  Partial<Pick<StreamConfig, 'max_msgs_per_subject' | 'discard_new_per_subject'>> & {
    maxAgeMs: number
  }

/** Every stream of the bus, all bounded by age and bytes. */
export const STREAMS = {
  forum: {
    name: 'FORUM',
    subjects: ['forum.>'],
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    max_bytes: GIB,
    maxAgeMs: 72 * HOUR_MS,
  },
  rank: {
    name: 'RANK',
    subjects: ['rank.post'],
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    max_bytes: GIB,
    maxAgeMs: 72 * HOUR_MS,
  },
  scan: {
    name: 'SCAN',
    subjects: ['scan.requested', 'scan.completed'],
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    max_bytes: GIB,
    // Requests hold at most 4 kB each, so more than half of the bytes is left to the verdicts: a
    // request is removed only once its verdict is in.
    max_msgs_per_subject: 100_000,
    discard_new_per_subject: true,
    maxAgeMs: 72 * HOUR_MS,
  },
  alerts: {
    name: 'ALERTS',
    subjects: ['alert.raised', 'alert.resolved'],
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    max_bytes: GIB / 4,
    maxAgeMs: 30 * 24 * HOUR_MS,
  },
  dead: {
    name: 'DEAD',
    subjects: ['dead.>'],
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    max_bytes: GIB / 4,
    maxAgeMs: 30 * 24 * HOUR_MS,
  },
  attempts: {
    name: 'ATTEMPTS',
    subjects: ['attempt.>'],
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    max_bytes: GIB / 64,
    // A message that may be begun again stays in its own stream no longer than this.
    maxAgeMs: 72 * HOUR_MS,
  },
} as const satisfies Record<string, Stream>

/** How long JetStream remembers a `Nats-Msg-Id`. */
const DEDUPE_WINDOW_MS = 2 * 60_000

/**
 * Creates the streams that do not exist and updates those that do; any service may call it. Throws
 * if nothing answers about streams: a server whose disk was full may run without them until it is
 * restarted.
 */
export async function ensureStreams(nc: NatsConnection): Promise<void> {
  const jsm = await jetstreamManager(nc).catch((cause: unknown) => {
    throw new Error('the bus answers nothing about its streams: start NATS again', { cause })
  })
  for (const { maxAgeMs, ...stream } of Object.values<Stream>(STREAMS)) {
    const config = {
      ...stream,
      subjects: [...(stream.subjects ?? [])],
      storage: StorageType.File,
      max_age: maxAgeMs * NANOS,
      duplicate_window: DEDUPE_WINDOW_MS * NANOS,
    }
    try {
      await jsm.streams.add(config)
    } catch {
      await jsm.streams.update(stream.name, config)
    }
  }
}
