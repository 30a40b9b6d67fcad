import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { Fields } from '@stoa/shared/contracts/common.js'
import type { InputOf } from '@stoa/shared/contracts/contract.js'
import { type Feed, type FeedSort, filtersOf, type listFeed } from '@stoa/shared/contracts/feed.js'
import type { TextPlace } from '@stoa/shared/contracts/post-texts.js'
import type { ListedPost } from '@stoa/shared/contracts/posts.js'
import type { ContentDeps } from '../deps.ts'
import { nextUrl } from '../rendering/cursors.ts'
import { listJson, listStart, type PackedItems, packItems } from '../rendering/pack-items.ts'
import { renderFeedPost, renderLive } from '../rendering/post.ts'
import type { PostText } from '../rendering/post-texts.ts'
import { COMPACT, type Columns, LIVE, type LiveRow, type PostRow } from '../tables/post-rows.ts'
import { authorTags } from './author-tags.ts'

type Input = InputOf<typeof listFeed>

/** A page of a feed. Full items lack the texts of their versions, most of which the gateway has. */
interface FeedItems extends PackedItems {
  texts?: TextPlace[]
  /** Cache tags of the other things that the items show. */
  tags: string[]
}

/** The columns to select of posts for this form; the text of a full item comes from PostTexts. */
export function feedColumns(fields: Fields): Columns {
  return fields === 'compact' || fields === 'brief' ? COMPACT : LIVE
}

/**
 * As many posts as fit a page, from rows of `feedColumns`, with the fields that `ofOrder` adds.
 * Texts that are inserted later count towards the size.
 */
export async function feedItems<Row extends LiveRow>(
  { baseUrl, postTexts }: Pick<ContentDeps, 'baseUrl' | 'postTexts'>,
  rows: Row[],
  fields: Fields,
  ofOrder: (row: Row) => Partial<ListedPost> | null = () => null,
): Promise<FeedItems> {
  if (fields !== 'full') {
    const shown = rows.map((row) =>
      Object.assign(renderFeedPost(row as LiveRow as PostRow, baseUrl, fields), ofOrder(row)),
    )
    const tags = fields === 'ids' ? [] : authorTags(rows)
    return { ...packItems(shown.map((item) => JSON.stringify(item))), tags }
  }
  const texts = await postTexts.of(rows)
  const items = rows.map((row) => JSON.stringify(Object.assign(renderLive(row), ofOrder(row))))
  const packed = packItems(items, (i) => texts[i]?.bytes.length ?? 0)
  const places = packed.starts.map((start, i): TextPlace => {
    const { id, version } = rows[i] as LiveRow
    return [start + 1, id, version, (texts[i] as PostText).digest]
  })
  return { ...packed, texts: places, tags: authorTags(rows) }
}

interface FeedAnswer {
  sort: FeedSort
  nextSince: string | null
  nextBefore: string | null
  packed: FeedItems
  /** Cache tags of the lists that this is a page of. */
  tags: string[]
}

/** The answer of a feed, whether content or ranking found its posts. */
export function feedAnswer(
  deps: ContentDeps,
  input: Input,
  { sort, nextSince, nextBefore, packed, tags }: FeedAnswer,
): Reply<Feed> {
  const start = listStart({
    object: 'feed',
    sort,
    fields: input.fields,
    since: input.since ?? null,
    before: input.before ?? null,
    count: packed.count,
    next_before: nextBefore,
    next_url: nextBefore === null ? null : feedUrl(deps.baseUrl, input, sort, nextBefore),
    next_since: nextSince,
  })
  return reply<Feed>(listJson(start, packed), {
    tags: [...tags, ...packed.tags],
    ...(packed.texts ? { texts: placesBehind(start, packed.texts) } : {}),
  })
}

function placesBehind(start: string, places: TextPlace[]): TextPlace[] {
  const bytes = Buffer.byteLength(start)
  return places.map(([at, ...text]) => [bytes + at, ...text])
}

function feedUrl(baseUrl: string, input: Input, sort: FeedSort, before: string): string {
  const { since, fields, limit, window } = input
  const query = {
    sort,
    since,
    ...filtersOf(input),
    limit,
    fields: fields === 'full' ? undefined : fields,
    window: window === 'all' ? undefined : window,
  }
  return nextUrl({ baseUrl, path: '/api/v1/feed', query }, before)
}
