import { connectBus } from '@stoa/shared/bus/bus.js'
import { consume } from '@stoa/shared/bus/consume.js'
import { serve } from '@stoa/shared/bus/serve.js'
import { ensureStreams, STREAMS } from '@stoa/shared/bus/streams.js'
import { SCANNER_DURABLE, scanRequested } from '@stoa/shared/contracts/scans.js'
import { Verdict } from '@stoa/shared/contracts/verdicts.js'
import type { Logger } from '@stoa/shared/process/logger.js'
import { type Count, serveMetrics } from '@stoa/shared/process/metrics.js'
import { closing, type Running } from '@stoa/shared/process/service.js'
import type { ScannerConfig } from './config.ts'
import { onScanRequested } from './consumers/scan-requested.ts'
import type { ScannerDeps } from './deps.ts'
import { createScanPool } from './pool/pool.ts'
import { watchPacks } from './pool/watch-packs.ts'
import { requests } from './requests/index.ts'
import { packsDir } from './rules/packs-dir.ts'

/**
 * The most events in a batch, each with up to CASES_TOGETHER_MAX texts. One worker finishes them
 * within the minute before the bus delivers them again, even if every text overruns on every try.
 * If other scans come first it may take longer, but a second delivery does no harm.
 */
const BATCH_MAX = 2

/** Starts a scanner; any number share one durable consumer. Throws if the rules do not load. */
export async function startScanner(config: ScannerConfig, log: Logger): Promise<Running> {
  const dir = config.SCANNER_PACKS ?? packsDir()
  const pool = await createScanPool({
    workers: config.SCAN_WORKERS,
    deadlineMs: config.SCAN_DEADLINE_MS,
    packsDir: dir,
    onTrouble: (trouble) => log.warn({ trouble: trouble.slice(0, 500) }, 'scan trouble'),
  }).catch((cause: unknown) => {
    throw new Error(`SCANNER_PACKS: no scan worker starts with the rules in ${dir}`, { cause })
  })
  const bus = await connectBus('scanner', config.NATS_URL, log)
  await ensureStreams(bus.nc)
  const byVerdict = new Map<Verdict, number>(Verdict.options.map((verdict) => [verdict, 0]))
  const scan: ScannerDeps['scan'] = async (texts) => {
    const result = await pool.scan(texts)
    byVerdict.set(result.verdict, (byVerdict.get(result.verdict) ?? 0) + 1)
    return result
  }
  const deps: ScannerDeps = { bus, scan }
  const consuming = await consume({
    bus,
    log,
    stream: STREAMS.scan.name,
    durable: SCANNER_DURABLE,
    filter: scanRequested.subject,
    event: scanRequested,
    batchMax: BATCH_MAX,
    handle: (events) => onScanRequested(deps, events),
  })
  const counts = () => [scansCount(byVerdict)]
  const watching = watchPacks(dir, pool, bus, log)
  const metrics = await serveMetrics(config.METRICS_LISTEN, { breakers: [], counts }, log)
  const serving = await serve(bus, deps, requests, log)
  return closing(
    { bus: bus.cut },
    () => pool.close(),
    bus.close,
    watching.close,
    () => metrics?.close(),
    consuming.stop,
    serving.stop,
  )
}

function scansCount(byVerdict: ReadonlyMap<Verdict, number>): Count {
  return {
    name: 'stoa_scans_total',
    help: 'Texts that this scanner has read, dry runs included.',
    type: 'counter',
    values: [...byVerdict].map(([verdict, count]) => [`{verdict="${verdict}"}`, count]),
  }
}
