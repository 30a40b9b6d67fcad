import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually } from '../../../../tests/support/eventually.ts'
import { ContentUnderTest } from '../testing/content-under-test.ts'

const PIECE_MAX = 40
const POSTS = 100

let content: ContentUnderTest

beforeAll(async () => {
  content = await ContentUnderTest.start()
})

afterAll(() => content.stop())

it('comes to the end of the change log piece by piece, and leaves no post out', async () => {
  const author = await content.register()
  const posts = await Promise.all(Array.from({ length: POSTS }, () => content.post(author)))
  const ids = posts.map(({ data }) => data.post.id)

  await eventually('the index is at the end of the log', async () => {
    const { rows } = await content.db.query(
      'SELECT p.seq < l.seq AS is_behind FROM search_progress p, publication l',
    )
    return !rows[0].is_behind
  })

  const { rows } = await content.db.query('SELECT id, xmin::text AS piece FROM search_texts')
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
  const sizes = new Map<string, number>()
  for (const { piece } of rows) sizes.set(piece, (sizes.get(piece) ?? 0) + 1)
  expect(Math.max(...sizes.values())).toBeLessThanOrEqual(PIECE_MAX)
})
