import { expect, it } from '@jest/globals'
import { showHits } from './show-hits.ts'
import type { Things } from './things.ts'

const HITS = Array.from({ length: 100 }, (_, n) => ({ id: `pst_${n}`, version: 1, relevance: 1 }))

/** Long bodies full of the beginnings of addresses that contain the word looked for. */
const things: Things = {
  load: async ({ ids }) => {
    const body = `[a](http://${'mutex/'.repeat(6_600)}`
    const thing = { version: 1, shown: '{}', title: 'x', summary: '', body, tags: [] }
    return new Map([...ids].map((id) => [id, thing]))
  },
}

it('the search lets other requests run while it highlights many long texts', async () => {
  let turns = 0
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)

  const shown = await showHits(things, { type: 'post', fields: 'compact', q: 'mutex' }, HITS)

  clearImmediate(next)
  expect(shown.map(({ position }) => position)).toEqual(HITS.map((_, position) => position))
  expect(turns).toBeGreaterThan(3)
})
