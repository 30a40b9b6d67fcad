import type { Bus } from '@stoa/shared/bus/bus.js'
import type { HotSettings } from '@stoa/shared/hot-score.js'
import type { Logger } from '@stoa/shared/logger.js'
import type { Database } from './database.ts'
import type { Loader } from './loader.ts'
import type { Notices } from './notices.ts'
import type { PostTexts } from './rendering/post-texts.ts'
import type { CommentRow } from './tables/comments.ts'
import type { DetailLists, DetailRow, ListsWanted } from './tables/details.ts'
import type { Verdicts } from './writes/await-verdict.ts'
import type { Submissions } from './writes/submission-batch.ts'
import type { Votes } from './writes/vote-batch.ts'

/** What every request of content may use. */
export interface ContentDeps {
  db: Database
  bus: Bus
  log: Logger
  verdicts: Verdicts
  votes: Votes
  hot: HotSettings
  notices: Notices
  /** Posts and comments by id, whatever their visibility. */
  posts: Loader<string, DetailRow | undefined>
  comments: Loader<string, CommentRow | undefined>
  /** What hangs on a post. */
  lists: Loader<ListsWanted, DetailLists>
  postTexts: PostTexts
  submissions: Submissions
  /** Without a trailing slash; every address in an answer starts with it. */
  baseUrl: string
}
