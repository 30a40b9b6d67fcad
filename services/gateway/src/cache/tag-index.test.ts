import { expect, it } from '@jest/globals'
import { keptBytes } from '../../../../tests/support/heap.ts'
import { TagIndex } from './tag-index.ts'

it('the tag index finds the keys with any of several tags until they are removed', () => {
  const index = new TagIndex()
  index.add(['a', 'b'], 'one')
  index.add(['b'], 'two')
  index.add(['b'], 'three')

  expect([...index.keysOf(['a', 'b'])]).toEqual(['one', 'two', 'three'])
  index.remove(['a', 'b'], 'one')
  index.remove(['b'], 'three')

  expect([...index.keysOf(['a', 'b'])]).toEqual(['two'])
})

it('the tag index takes no memory for a tag without keys', async () => {
  const index = new TagIndex()

  const kept = await keptBytes(() => {
    for (let n = 0; n < 50_000; n++) {
      for (const key of ['one', 'two']) index.add([`tag ${n}`], key)
      for (const key of ['one', 'two']) index.remove([`tag ${n}`], key)
    }
  })

  // The keys together take 15 MB.
  expect(kept).toBeLessThan(1_000_000)
})
