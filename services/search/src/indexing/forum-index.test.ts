import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { randomToken } from '@stoa/shared/identifiers/ids.js'
import { eventuallyPasses } from '../../../../tests/support/eventually.ts'
import { describeWithMeili, MEILI } from '../../../../tests/support/meilisearch.ts'
import { isBuildAbandoned } from '../building/build-claim.ts'
import { connectMeili, LATER_MS, type MeiliServer } from '../meilisearch/meili.ts'
import { aPost } from '../testing/harness.ts'
import { ForumIndex } from './forum-index.ts'
import { createIndex, dropIndex, prepareIndex, promoteIndex } from './index-generations.ts'

const ABANDONED_AFTER_MS = 60_000

let server: MeiliServer
let index: ForumIndex
let build: string

beforeEach(async () => {
  server = connectMeili(MEILI.url, MEILI.key)
  index = new ForumIndex(server, `test_${randomToken(4)}_`)
  build = `${index.buildPrefix}one`
  await createIndex(index, build)
  await prepareIndex(index, build)
})

afterEach(async () => {
  jest.restoreAllMocks()
  await Promise.all([build, index.live, index.recent].map((uid) => dropIndex(index, uid)))
  server.close()
})

async function updatedAt(uid: string): Promise<number> {
  return Date.parse((await index.of(uid).getRawInfo()).updatedAt)
}

/** Drops an index in the moment before documents are put into it. */
function dropBeforeDocuments(): void {
  const of = index.of.bind(index)
  jest.spyOn(index, 'of').mockImplementation((uid) => {
    const one = of(uid)
    const add = one.addDocuments.bind(one)
    jest
      .spyOn(one, 'addDocuments')
      .mockImplementation(((...given: Parameters<typeof add>) =>
        index.settle(index.client.deleteIndex(uid), LATER_MS).then(() => add(...given))) as never)
    return one
  })
}

describeWithMeili('an index that is being filled', () => {
  it('fails to be created if it was dropped before it had its marker', async () => {
    await dropIndex(index, build)
    dropBeforeDocuments()

    await expect(createIndex(index, build)).rejects.toThrow(/was dropped/)
  })

  it.each(['', '_recent'])('is not searched if its part %p was deleted', async (part) => {
    await index.settle(index.client.deleteIndex(build + part), LATER_MS)

    await expect(promoteIndex(index, build, { stream: 'now', position: 7 })).rejects.toThrow(
      /is gone/,
    )

    expect(await index.exists(index.live)).toBe(false)
  })

  it('can be searched with its empty index of new texts, and knows its position in the stream', async () => {
    await promoteIndex(index, build, { stream: 'now', position: 7 })

    expect(await index.isBuilt()).toBe(true)
    expect(await index.generationOf(index.live)).toBe(build)
    expect(await index.position()).toEqual({ stream: 'now', position: 7 })
  })

  it('is not abandoned while it is written to, however old its index of new texts is', async () => {
    const made = await updatedAt(`${build}_recent`)
    await eventuallyPasses(async () => {
      await index.write([build], [aPost()], [])
      expect(await updatedAt(build)).toBeGreaterThan(made + 1)
    })

    const now = jest.spyOn(index, 'now').mockReturnValue(made + 1 + ABANDONED_AFTER_MS)
    const between = await isBuildAbandoned(index)
    now.mockReturnValue((await updatedAt(build)) + 1 + ABANDONED_AFTER_MS)
    const later = await isBuildAbandoned(index)

    expect([between, later]).toEqual([false, true])
  })
})

describeWithMeili('the states of documents', () => {
  it('can be read for more documents at once than fit into a URL', async () => {
    const post = aPost()
    await index.write([build], [post], [])
    const others = Array.from({ length: 5_000 }, () => aPost().id)

    const states = await index.statesIn(build, [...others, post.id])

    expect([...states.keys()]).toEqual([post.id])
  })
})
