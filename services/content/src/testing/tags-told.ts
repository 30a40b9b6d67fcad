import { INVALIDATE, InvalidateNotice } from '@stoa/shared/contracts/events.js'
import type { ContentUnderTest } from './content-under-test.ts'

/** The tags that caches are told to drop while `write` runs. */
export async function tagsTold(
  content: ContentUnderTest,
  write: () => Promise<unknown>,
): Promise<string[]> {
  const tags: string[] = []
  const stop = content.gateway.hear(INVALIDATE, (notice) => {
    tags.push(...InvalidateNotice.parse(notice).tags)
  })
  await content.gateway.settled()
  await write()
  await content.gateway.settled()
  stop()
  return tags
}
