import type { TextPlace } from '@stoa/shared/contracts/post-texts.js'
import type { ContentDeps } from '../deps.ts'
import { type PackedItems, packItems } from '../rendering/pack-items.ts'
import { type Fields, renderFeedPost, renderLive } from '../rendering/post.ts'
import type { PostText } from '../rendering/post-texts.ts'
import { COMPACT_COLUMNS, LIVE_COLUMNS, type LiveRow, type PostRow } from '../tables/post-rows.ts'

/** A page of a feed; full items lack the texts of their versions, which a gateway mostly has. */
export interface FeedItems extends PackedItems {
  texts?: TextPlace[]
}

/** What a statement selects of each post; equal names mean equal lists. */
export interface Columns {
  name: string
  list: string
}

/** What has to be selected of posts to show them so. */
export function feedColumns(fields: Fields): Columns {
  return fields === 'compact'
    ? { name: 'compact', list: COMPACT_COLUMNS }
    : { name: 'live', list: LIVE_COLUMNS }
}

/** As many posts as fit a page, of rows of `feedColumns`. Texts count as if they were in it. */
export async function feedItems(
  { baseUrl, postTexts }: Pick<ContentDeps, 'baseUrl' | 'postTexts'>,
  rows: LiveRow[],
  fields: Fields,
): Promise<FeedItems> {
  if (fields !== 'full') {
    const shown = rows.map((row) => renderFeedPost(row as PostRow, baseUrl, fields))
    return packItems(shown.map((item) => JSON.stringify(item)))
  }
  const texts = await postTexts.of(rows)
  const items = rows.map((row) => JSON.stringify(renderLive(row)))
  const packed = packItems(items, (i) => texts[i]?.bytes.length ?? 0)
  const places = packed.starts.map((start, i): TextPlace => {
    const { id, version } = rows[i] as LiveRow
    return [start + 1, id, version, (texts[i] as PostText).digest]
  })
  return { ...packed, texts: places }
}
