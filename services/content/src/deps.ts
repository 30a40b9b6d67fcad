import type { Bus } from '@stoa/shared/bus/bus.js'
import type { HotSettings } from '@stoa/shared/hot-order/hot-score.js'
import type { Logger } from '@stoa/shared/process/logger.js'
import type { RequireKnown } from './answers/known-names.ts'
import type { Things } from './answers/things.ts'
import type { Database } from './database.ts'
import type { Loader } from './loader.ts'
import type { Notices } from './notices.ts'
import type { PostTexts } from './rendering/post-texts.ts'
import type { StoredComment } from './tables/comments.ts'
import type { Detail, DetailWanted } from './tables/details.ts'
import type { FindRare } from './tables/feed-rarity.ts'
import type { StoredKeyRow } from './tables/keys.ts'
import type { PublicTags } from './tables/public-tags.ts'
import type { KeyUses } from './workers/key-uses.ts'
import type { Verdicts } from './writes/await-verdict.ts'
import type { EarlyScans } from './writes/scan-early.ts'
import type { Submissions } from './writes/settle-submissions.ts'
import type { Votes } from './writes/settle-votes.ts'

/** The dependencies of every request of content. */
export interface ContentDeps {
  db: Database
  bus: Bus
  log: Logger
  verdicts: Verdicts
  earlyScans: EarlyScans
  votes: Votes
  hot: HotSettings
  notices: Notices
  /** Posts with the lists shown below them, and comments, by id and whatever their visibility. */
  details: Loader<DetailWanted, Detail | undefined>
  comments: Loader<string, StoredComment | undefined>
  /** Keys by their public halves. */
  keys: Loader<string, StoredKeyRow | undefined>
  keyUses: KeyUses
  requireKnown: RequireKnown
  findRare: FindRare
  /** The items that searches found. */
  things: Things
  publicTags: PublicTags
  postTexts: PostTexts
  submissions: Submissions
  /** Without a trailing slash; every address in an answer starts with it. */
  baseUrl: string
}
