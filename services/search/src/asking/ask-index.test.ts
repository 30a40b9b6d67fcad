import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { findHits } from '@stoa/shared/contracts/search.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { itWithMeili, MEILI } from '../../../../tests/support/meilisearch.ts'
import { ForumIndex } from '../indexing/forum-index.ts'
import { createIndex, dropIndex } from '../indexing/index-generations.ts'
import { connectMeili, LATER_MS } from '../meilisearch/meili.ts'
import { createAskIndex } from './ask-index.ts'

let hanging: Server
let asked = 0

beforeAll(async () => {
  hanging = createServer(() => {
    asked++
  })
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
})

afterAll(() => {
  hanging.closeAllConnections()
  hanging.close()
})

it('the index is not asked any more after three searches in a row that hang', async () => {
  const { port } = hanging.address() as AddressInfo
  const meili = connectMeili(`http://127.0.0.1:${port}`, 'key')
  const index = new ForumIndex(meili, 'test_')
  index.usesRecent = false
  const { askIndex, close } = createAskIndex(index, createLogger('search', 'silent'), () => {})
  const input = findHits.input.parse({ q: 'tide' })

  for (let n = 0; n < 6; n++) {
    await expect(askIndex(input, 0, 10)).rejects.toMatchObject({ code: 'unavailable' })
  }

  expect(asked).toBe(3)
  close()
  meili.close()
})

itWithMeili('an index without its settings counts as not built yet', async () => {
  const meili = connectMeili(MEILI.url, MEILI.key)
  const index = new ForumIndex(meili, `test_${randomUUID()}_`)
  index.usesRecent = false
  let missing = 0
  const log = createLogger('search', 'silent')
  const { askIndex, close } = createAskIndex(index, log, () => missing++)
  const input = findHits.input.parse({ q: 'tide' })
  await index.settle(meili.client.createIndex(index.live, { primaryKey: 'id' }), LATER_MS)

  for (let n = 0; n < 6; n++) {
    await expect(askIndex(input, 0, 10)).rejects.toMatchObject({ code: 'unavailable' })
  }

  expect(missing).toBe(6)
  await dropIndex(index, index.live)
  close()
  meili.close()
})

itWithMeili(
  'an emptied index counts as not built, not as the index of an empty forum',
  async () => {
    const meili = connectMeili(MEILI.url, MEILI.key)
    const index = new ForumIndex(meili, `test_${randomUUID()}_`)
    const log = createLogger('search', 'silent')
    const { askIndex, close } = createAskIndex(index, log, () => {})
    const input = findHits.input.parse({ q: 'tide' })
    for (const uid of index.searched) await createIndex(index, uid)
    const ofAnEmptyForum = await askIndex(input, 0, 10)

    await index.settle(index.of(index.live).deleteAllDocuments(), LATER_MS)

    expect(ofAnEmptyForum.hits).toEqual([])
    await expect(askIndex(input, 0, 10)).rejects.toMatchObject({ code: 'unavailable' })
    for (const uid of index.searched) await dropIndex(index, uid)
    close()
    meili.close()
  },
)
