import { afterAll, afterEach, beforeAll, expect } from '@jest/globals'
import type { ContentUnderTest } from './content-under-test.ts'
import { ModeratedForum } from './moderated-forum.ts'
import { drift } from './recount.ts'

/**
 * Runs the tests of a file in a moderated forum of their own, which `begin` gets once it is there.
 * After each of them every counter must be what counting anew gives.
 */
export function inModeratedForum(begin: (forum: ModeratedForum) => void | Promise<void>): void {
  let content: ContentUnderTest | undefined

  beforeAll(async () => {
    const forum = await ModeratedForum.start()
    content = forum.content
    await begin(forum)
  })

  afterEach(async () => {
    if (!content) return
    content.scanner.release()
    expect(await drift(content.db)).toEqual([])
  })

  afterAll(() => content?.stop())
}
