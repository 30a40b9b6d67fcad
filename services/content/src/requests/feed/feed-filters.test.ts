import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { FEED_SORTS, listFeed } from '@stoa/shared/contracts/feed.js'
import { feedColumns } from '../../answers/feed-answer.ts'
import { feedStatement } from '../../tables/feed-statement.ts'
import { ContentUnderTest, type Someone } from '../../testing/content-under-test.ts'

let content: ContentUnderTest
let ann: Someone

beforeAll(async () => {
  content = await ContentUnderTest.start()
  ann = await content.register()
  await content.post(ann, { kind: 'result', tags: ['cache'] })
  await content.post(ann, { kind: 'claim', slug: 'meta' })
})

afterAll(() => content.stop())
afterEach(() => {
  jest.restoreAllMocks()
})

describe.each(FEED_SORTS)('the %s feed', (sort) => {
  const idsWith = async (filter: object) => {
    const { data } = await content.ask(listFeed, { sort, ...filter })
    return data.items.map(({ id }) => id)
  }

  it.each(['kind', 'community', 'tag'])('takes a %s of nothing for none', async (name) => {
    const nothing = await idsWith({ [name]: ',' })

    expect(nothing).toHaveLength(2)
    expect(nothing).toEqual(await idsWith({}))
  })
})

describe('the statement of a feed', () => {
  const DAYS_MS = 32 * 86_400_000

  it('has one text by one name, also while the last day of its walk goes by', () => {
    const sinceMs = Date.now() - DAYS_MS
    const statement = () =>
      feedStatement({
        ...{ sort: 'top', columns: feedColumns('full'), position: undefined, limit: 5 },
        ...{ filters: { sinceMs }, rare: undefined },
      })
    const now = jest.spyOn(Date, 'now')
    const texts = new Map<string, string>()
    for (const passed of [0, 0, 1, 1]) {
      // Time goes by between one look at the clock and the next.
      now.mockReturnValueOnce(sinceMs + DAYS_MS + passed).mockReturnValue(sinceMs + DAYS_MS + 1)
      const { name, text } = statement()
      now.mockReset()
      expect(texts.get(name) ?? text).toBe(text)
      texts.set(name, text)
    }
    expect(texts.size).toBe(2)
  })
})
