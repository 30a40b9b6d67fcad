import { CHANGES_TAG } from '@stoa/shared/answers/cache-tags.js'
import type { Bus } from '@stoa/shared/bus/bus.js'
import type { PartStatus } from '@stoa/shared/contracts/health.js'
import type { Logger } from '@stoa/shared/process/logger.js'
import type { LRUCache } from 'lru-cache'
import type { KeyCache } from './auth/key-cache.ts'
import type { PostTexts } from './cache/post-texts.ts'
import type { ResponseCache } from './cache/response-cache.ts'
import type { SitemapEnds } from './cache/sitemap-ends.ts'
import type { UrlIndex } from './cache/url-index.ts'
import type { Config } from './config.ts'
import type { Ask } from './downstream/ask.ts'
import type { Breakers } from './downstream/breakers.ts'
import type { createReplicas } from './downstream/replicas.ts'
import type { RequestsAtOnce } from './http/requests-at-once.ts'
import type { Limiter } from './limits/limiter.ts'
import type { AnswerCounts } from './serving/answer-counts.ts'
import type { Streams } from './stream/streams.ts'

/** What the request handlers share; `createCore` makes it once. */
export interface Core {
  config: Config
  log: Logger
  bus: Bus
  ask: Ask
  breakers: Breakers
  replicas: ReturnType<typeof createReplicas>
  limiter: Limiter
  atOnce: RequestsAtOnce
  keys: KeyCache
  cache: ResponseCache
  texts: PostTexts
  sitemapEnds: SitemapEnds
  urls: UrlIndex
  /** Agents that wrote through this gateway while an older answer may still be kept. */
  recentWriters: LRUCache<string, true>
  streams: Streams
  answers: AnswerCounts
  /** Whether Redis answers now and accepts writes. */
  redisStatus: () => Promise<PartStatus>
  /** Hashes a client address for shared stores and logs. */
  hashAddress: (address: string) => string
}

/**
 * The change log may have grown: older pages of it are served no more, and streams read it again.
 */
export function changesAppended({ cache, streams }: Pick<Core, 'cache' | 'streams'>): void {
  cache.invalidate([CHANGES_TAG])
  streams.wake()
}

/** Takes note of what others wrote: nothing that shows one of the tags stays in use for long. */
export function outdate(core: Pick<Core, 'cache' | 'keys'>, tags: readonly string[]): void {
  core.keys.invalidate(tags)
  core.cache.outdate(tags)
}

/** Resolves once nothing from before a write that shows one of its tags is served any more. */
export function settle(core: Pick<Core, 'cache' | 'keys'>, tags: readonly string[]): Promise<void> {
  core.keys.invalidate(tags)
  // Nearly every write appends to the change log, and pages of the log are quick to read.
  core.cache.invalidate([CHANGES_TAG])
  return core.cache.settle(tags)
}
