import { connectBus } from '@stoa/shared/bus/bus.js'
import { consume } from '@stoa/shared/bus/consume.js'
import { serve } from '@stoa/shared/bus/serve.js'
import { ensureStreams, STREAMS } from '@stoa/shared/bus/streams.js'
import { scanCompleted } from '@stoa/shared/contracts/scans.js'
import { hotSettings } from '@stoa/shared/hot-config.js'
import type { Logger } from '@stoa/shared/logger.js'
import { closing, type Running } from '@stoa/shared/service.js'
import type { ContentConfig } from './config.ts'
import { onScanCompleted } from './consumers/scan-completed.ts'
import { openDatabase } from './database.ts'
import type { ContentDeps } from './deps.ts'
import { requests } from './requests/index.ts'
import { startRelay } from './workers/outbox-relay.ts'
import { startSweep } from './workers/sweep.ts'
import { awaitVerdicts } from './writes/await-verdict.ts'
import { batchVotes } from './writes/vote-batch.ts'

const VERDICT_BATCH_MAX = 64

/** Starts content: the one service that writes PostgreSQL. */
export async function startContent(config: ContentConfig, log: Logger): Promise<Running> {
  const db = openDatabase(config.DATABASE_URL, config.DATABASE_POOL, log)
  await db.ping()
  const bus = await connectBus('content', config.NATS_URL)
  await ensureStreams(bus.nc)
  const hot = hotSettings(config)
  const deps: ContentDeps = {
    db,
    bus,
    log,
    verdicts: awaitVerdicts(bus, config.PUBLISH_WAIT_MS),
    votes: batchVotes(db, { bus, hot }),
    hot,
    baseUrl: config.BASE_URL,
  }
  const verdicts = await consume({
    bus,
    log,
    service: 'content',
    stream: STREAMS.scan.name,
    durable: 'content-verdicts',
    filter: scanCompleted.subject,
    event: scanCompleted,
    batchMax: VERDICT_BATCH_MAX,
    handle: (events) => onScanCompleted(deps, events),
  })
  const relay = startRelay(db, bus, log)
  const sweep = startSweep(deps, config.RESCAN_AFTER_MS)
  serve(bus, deps, requests, log)
  return closing(db.close, bus.close, relay.close, sweep.close, verdicts.stop)
}
