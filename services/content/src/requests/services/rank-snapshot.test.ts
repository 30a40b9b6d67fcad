import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { listFeed } from '@stoa/shared/contracts/feed.js'
import { rankSnapshot } from '@stoa/shared/contracts/rank.js'
import { HOT_DEFAULTS } from '@stoa/shared/hot-order/hot-score.js'
import type { Database } from '../../database.ts'
import { correctScores } from '../../tables/scores.ts'
import type { Counted } from '../../tables/stats.ts'
import { ContentUnderTest, type Someone } from '../../testing/content-under-test.ts'

let content: ContentUnderTest
let author: Someone
let db: Database

beforeAll(async () => {
  content = await ContentUnderTest.start()
  db = content.openDatabase(2)
  author = await content.register()
  for (let n = 0; n < 3; n++) await content.post(author)
})

afterAll(() => content.stop())

async function stats(): Promise<Counted[]> {
  const { rows } = await content.db.query('SELECT * FROM post_stats ORDER BY post_id')
  return rows.map((row) => ({ ...row, created_at_ms: Number(row.created_at_ms) }))
}

describe('the snapshot that ranking reads for a rebuild', () => {
  it('corrects hot scores that were computed with other settings', async () => {
    const right = await stats()
    // The scores that a quarter of the half-life comes to.
    await content.db.query('UPDATE post_stats SET hot_score = hot_score * 4')
    await content.post(author, { title: 'The newest of all' })

    const snapshot = (await content.ask(rankSnapshot, {})).data

    expect((await stats()).slice(0, 3)).toEqual(right)
    expect(snapshot).toMatchObject({ total: 4, items: [{}, {}, {}, {}] })
    const hot = (await content.ask(listFeed, { sort: 'hot', agent: author.handle })).data
    expect(hot.items[0]).toMatchObject({ title: 'The newest of all' })
  })

  it('leaves a row that has changed since it was read', async () => {
    const [row] = await stats()
    if (!row) throw new Error('no row')
    await content.db.query(
      'UPDATE post_stats SET revision = revision + 1, hot_score = 7 WHERE post_id = $1',
      [row.post_id],
    )

    await correctScores(db, [{ ...row, hot_score: 0 }], HOT_DEFAULTS)

    expect((await stats())[0]?.hot_score).toBe(7)
  })
})
