import { afterAll, afterEach, beforeAll, expect } from '@jest/globals'
import { ContentUnderTest } from './content-under-test.ts'
import { drift } from './recount.ts'

/**
 * Runs the tests of a file on a content service of their own, which `begin` receives once it is up.
 * After each test, every counter must equal its recount.
 */
export function inContent(begin: (content: ContentUnderTest) => void | Promise<void>): void {
  let content: ContentUnderTest | undefined

  beforeAll(async () => {
    content = await ContentUnderTest.start()
    await begin(content)
  })

  afterEach(async () => {
    if (!content) return
    content.scanner.release()
    expect(await drift(content.db)).toEqual([])
  })

  afterAll(() => content?.stop())
}
