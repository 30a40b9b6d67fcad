import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals'
import { randomToken } from '@stoa/shared/identifiers/ids.js'
import { signal } from '../../../../tests/support/signal.ts'
import { ForumIndex } from '../indexing/forum-index.ts'
import { prepareIndex, promoteIndex } from '../indexing/index-generations.ts'
import { connectMeili, type MeiliServer } from '../meilisearch/meili.ts'
import { ForumMeili } from '../testing/forum-meili.ts'
import { claimBuild, oldestBuild } from './build-claim.ts'

const { TEST_MEILI_URL: url, TEST_MEILI_KEY: key = '' } = process.env
const withMeili = url ? describe : describe.skip

let server: MeiliServer
let index: ForumIndex

beforeAll(() => {
  if (url) server = connectMeili(url, key)
})

beforeEach(() => {
  index = new ForumIndex(server, `test_${randomToken(4)}_`)
})

afterEach(async () => {
  jest.restoreAllMocks()
  if (url) await new ForumMeili({ url, key }, index.live.replace('forum', '')).wipe()
})

afterAll(() => server?.close())

withMeili('a build that is asked for', () => {
  it('is not taken for under way where another replica finds that its own is not wanted', async () => {
    const [looks, goesOn] = [signal(), signal()]
    const { generationOf } = index
    const looking = jest.spyOn(index, 'generationOf').mockImplementationOnce(async (uid) => {
      looks.give()
      await goesOn.given
      return generationOf.call(index, uid)
    })
    const unwanted = claimBuild(index, 'what was searched before')
    await looks.given
    looking.mockRestore()

    const asked = await claimBuild(index)
    goesOn.give()

    expect(await unwanted).toBeUndefined()
    expect(asked).toBeDefined()
    expect(await index.exists(asked as string)).toBe(true)
  })

  it('is done by one of the replicas that are asked together', async () => {
    const claimed = await Promise.all([claimBuild(index), claimBuild(index)])

    const [uid, ...more] = claimed.filter((one) => one !== undefined)
    expect(more).toEqual([])
    expect(await oldestBuild(index)).toBe(uid)
  })

  it('is begun where the one before is searched and only has to be taken away', async () => {
    const before = (await claimBuild(index)) as string
    expect(await claimBuild(index)).toBeUndefined()
    await prepareIndex(index, before)
    await promoteIndex(index, before, { stream: 'a stream', position: 0 })

    expect(await claimBuild(index)).toMatch(index.buildPrefix)
  })
})
