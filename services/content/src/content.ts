import { connectBus } from '@stoa/shared/bus/bus.js'
import { type Consuming, consume } from '@stoa/shared/bus/consume.js'
import { type Answer, serve } from '@stoa/shared/bus/serve.js'
import { ensureStreams, STREAMS } from '@stoa/shared/bus/streams.js'
import { scanCompleted } from '@stoa/shared/contracts/scans.js'
import { hotSettings } from '@stoa/shared/hot-order/hot-config.js'
import type { Logger } from '@stoa/shared/process/logger.js'
import { serveMetrics } from '@stoa/shared/process/metrics.js'
import { closing, type Running } from '@stoa/shared/process/service.js'
import { createRequireKnown } from './answers/known-names.ts'
import { createThings } from './answers/things.ts'
import { awaitDatabase } from './await-database.ts'
import type { ContentConfig } from './config.ts'
import { onScanCompleted } from './consumers/scan-completed.ts'
import { type Database, openDatabase } from './database.ts'
import type { ContentDeps } from './deps.ts'
import { gaugesOf } from './gauges.ts'
import { byId, createLoader } from './loader.ts'
import { createNotices } from './notices.ts'
import { PostTexts } from './rendering/post-texts.ts'
import { requests } from './requests/index.ts'
import { findCommentRows } from './tables/comments.ts'
import { readDetails } from './tables/details.ts'
import { createFindRare } from './tables/feed-rarity.ts'
import { findStoredKeys } from './tables/keys.ts'
import { createPublicTags } from './tables/public-tags.ts'
import { webhookSettings } from './webhooks/webhook-config.ts'
import { startWebhooks } from './webhooks/webhooks.ts'
import { startAttendance } from './workers/attendance.ts'
import { startKeyUses } from './workers/key-uses.ts'
import { startRelay } from './workers/outbox-relay.ts'
import { startReleases } from './workers/release-held.ts'
import { startSweep } from './workers/sweep.ts'
import { startTextIndex } from './workers/text-index.ts'
import { startThreadTelling } from './workers/thread-telling.ts'
import { awaitVerdicts } from './writes/await-verdict.ts'
import { tellingOfLost } from './writes/outcome.ts'
import { createEarlyScans } from './writes/scan-early.ts'
import { batchSubmissions } from './writes/settle-submissions.ts'
import { batchVotes } from './writes/settle-votes.ts'

/** Counts events, each with up to CASES_TOGETHER_MAX verdicts. */
const VERDICT_BATCH_MAX = 8
const READ_TOGETHER_MAX = 64
const DETAILS = {
  /** The largest threads are some megabytes each, and those of a batch are in memory together. */
  batchMax: 16,
  /** A gateway sends four answers while the next four are rendered. */
  pieceMax: 4,
}
const POST_TEXTS_BYTES_MAX = 16 * 1024 * 1024

/** Starts content: the one service that writes PostgreSQL. */
export async function startContent(config: ContentConfig, log: Logger): Promise<Running> {
  const webhooks = webhookSettings(config)
  const db = openDatabase(config.DATABASE_URL, config.DATABASE_POOL, log)
  await awaitDatabase(db, log)
  const bus = await connectBus('content', config.NATS_URL, log)
  await ensureStreams(bus.nc)
  const hot = hotSettings(config)
  const verdicts = awaitVerdicts(bus, config.PUBLISH_WAIT_MS)
  const relay = startRelay(db, bus, log)
  const releases = startReleases(db, relay.wake, log)
  const notices = createNotices(bus, { verdicts, releases, wakeRelay: relay.wake })
  const earlyScans = createEarlyScans(bus, config.EARLY_SCAN_MS, log)
  const keyUses = startKeyUses(db, log)
  const deps: ContentDeps = {
    db,
    bus,
    log,
    verdicts,
    earlyScans,
    notices,
    ...readersOf(db.forKind('details')),
    keys: createLoader(db, { batchMax: READ_TOGETHER_MAX }, byId(findStoredKeys)),
    keyUses,
    requireKnown: createRequireKnown(db),
    findRare: createFindRare(),
    things: createThings(db.forKind('things'), config.BASE_URL),
    publicTags: createPublicTags(db),
    postTexts: new PostTexts(db, config.BASE_URL, POST_TEXTS_BYTES_MAX),
    submissions: batchSubmissions(db, { notices, hot, baseUrl: config.BASE_URL }),
    votes: batchVotes(db, { notices, hot }),
    hot,
    baseUrl: config.BASE_URL,
  }
  const depsOfWrites = { ...deps, ...readersOf(db.forKind('details', true)) }
  const answers = requests.map(tellingOfLost).map((entry) => {
    return asOneKind(entry, entry.contract.isForWrite ? depsOfWrites : deps)
  })
  const applying = await applyVerdicts(deps)
  const textIndex = startTextIndex(db, log)
  const telling = startThreadTelling({ db, notices, hot }, log)
  const sweep = startSweep(deps, config.RESCAN_AFTER_MS)
  const sender = webhooks && (await startWebhooks({ db, bus, log }, webhooks))
  const serving = await serve(bus, deps, answers, log)
  const attendance = startAttendance(db, [serving, applying], log)
  const measured = {
    breakers: [earlyScans.breaker],
    gauges: gaugesOf(deps, attendance, webhooks?.urls ?? []),
  }
  const metrics = await serveMetrics(config.METRICS_LISTEN, measured, log)
  return closing(
    { bus: bus.cut, stores: db.cut },
    db.close,
    bus.close,
    relay.close,
    releases.close,
    sweep.close,
    telling.close,
    textIndex.close,
    earlyScans.close,
    keyUses.close,
    () => metrics?.close(),
    () => sender?.close(),
    applying.stop,
    // Both at once, because an attendance check under way may wait for a database that does not
    // answer.
    () => Promise.all([attendance.close(), serving.stop()]),
  )
}

/** What answers show of posts and comments, read together. */
function readersOf(db: Pick<Database, 'read'>): Pick<ContentDeps, 'details' | 'comments'> {
  return {
    details: createLoader(db, DETAILS, readDetails),
    comments: createLoader(db, { batchMax: READ_TOGETHER_MAX }, byId(findCommentRows)),
  }
}

/** Each request is a kind of its own for the database. */
function asOneKind({ contract, run }: Answer<ContentDeps>, deps: ContentDeps): Answer<ContentDeps> {
  const { name, isForWrite } = contract
  const own = { ...deps, db: { ...deps.db, ...deps.db.forKind(name, isForWrite) } }
  return { contract, run: (_, input, meta) => run(own, input, meta) }
}

function applyVerdicts(deps: ContentDeps): Promise<Consuming> {
  return consume({
    bus: deps.bus,
    log: deps.log,
    stream: STREAMS.scan.name,
    durable: 'content-verdicts',
    filter: scanCompleted.subject,
    event: scanCompleted,
    batchMax: VERDICT_BATCH_MAX,
    handle: (events) => onScanCompleted(deps, events),
  })
}
