import type { ContentDeps } from '../deps.ts'
import { type ItemJson, itemJson } from '../rendering/pack-items.ts'
import { type Fields, type PostRow, renderFeedPost } from '../rendering/post.ts'

const END = Buffer.from('}')

/** Feed items from compact rows, in their order; the large texts of full items are mostly at hand. */
export async function feedItems(
  { baseUrl, postTexts }: Pick<ContentDeps, 'baseUrl' | 'postTexts'>,
  rows: PostRow[],
  fields: Fields,
): Promise<ItemJson[]> {
  if (fields !== 'full') return rows.map((row) => itemJson(renderFeedPost(row, baseUrl, fields)))
  const texts = await postTexts.of(rows)
  return rows.map((row, i) => {
    const start = JSON.stringify(renderFeedPost(row, baseUrl, 'compact')).slice(0, -1)
    return [Buffer.from(`${start},`), texts[i] ?? GONE, END]
  })
}

/** For a version that was taken out of the history in this very moment. */
const GONE = Buffer.from('"body_md":"","data":{}')
