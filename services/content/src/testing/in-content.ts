import { afterAll, afterEach, beforeAll, expect } from '@jest/globals'
import { ContentUnderTest } from './content-under-test.ts'
import { drift } from './recount.ts'

/**
 * Runs the tests of a file on a content of their own, which `begin` gets once it is there.
 * After each of them every counter must be what counting anew gives.
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
