import { hotTag } from '@stoa/shared/answers/cache-tags.js'
import { feedListName, writeCursor } from '@stoa/shared/answers/cursor.js'
import type { Reply } from '@stoa/shared/bus/serve.js'
import type { InputOf } from '@stoa/shared/contracts/contract.js'
import type { hydrateFeed as contract, Feed } from '@stoa/shared/contracts/feed.js'
import { feedAnswer, feedColumns, feedItems } from '../../answers/feed-answer.ts'
import type { ContentDeps } from '../../deps.ts'
import { type LiveRow, publicPosts } from '../../tables/post-rows.ts'

/**
 * The hot feed in the order that ranking answered. Ranking supplies only ids and scores; text and
 * visibility come from here, and posts that are no longer public are left out.
 */
export async function hydrateFeed(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
): Promise<Reply<Feed>> {
  await deps.requireKnown(input)
  const ids = input.ranked.map(([id]) => id)
  const found = await deps.db.read((query) =>
    publicPosts<LiveRow>(query, feedColumns(input.fields), ids),
  )
  const byId = new Map(found.map((row) => [row.id, row]))
  const rows = input.ranked.flatMap(([id, score]) => {
    const row = byId.get(id)
    return row ? [{ ...row, hot_score: score }] : []
  })
  const packed = await feedItems(deps, rows, input.fields)
  const last = rows[packed.count - 1]
  const cut = last && packed.count < rows.length
  return feedAnswer(deps, input, {
    sort: 'hot',
    nextSince: null,
    packed,
    nextBefore: cut
      ? writeCursor(feedListName('hot', input), [last.hot_score, last.id])
      : input.next_before,
    tags: [hotTag(input.community?.[0])],
  })
}
