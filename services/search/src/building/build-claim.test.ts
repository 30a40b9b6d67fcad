import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from '@jest/globals'
import { randomToken } from '@stoa/shared/identifiers/ids.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { describeWithMeili } from '../../../../tests/support/meilisearch.ts'
import { signal } from '../../../../tests/support/signal.ts'
import { ForumIndex } from '../indexing/forum-index.ts'
import { createIndex, prepareIndex, promoteIndex } from '../indexing/index-generations.ts'
import { connectMeili, type MeiliServer } from '../meilisearch/meili.ts'
import { aMinuteLater } from '../testing/a-minute-later.ts'
import { ForumMeili } from '../testing/forum-meili.ts'
import { aPost, Forum } from '../testing/harness.ts'
import { OwnMeili } from '../testing/own-meili.ts'
import { claimBuild, isBuildAbandoned, oldestBuild } from './build-claim.ts'
import { Builder } from './builder.ts'

/** A server of its own, because the test holds it up, with all tasks of all indexes. */
let meili: OwnMeili
let forum: Forum
let server: MeiliServer
let index: ForumIndex
let behind: ForumMeili
let prefix: string

beforeAll(async () => {
  meili = await OwnMeili.start()
  forum = await Forum.start(meili)
  server = connectMeili(meili.url, meili.key)
})

beforeEach(() => {
  prefix = `test_${randomToken(4)}_`
  index = new ForumIndex(server, prefix)
  behind = new ForumMeili(meili, prefix)
})

afterEach(async () => {
  jest.restoreAllMocks()
  await behind?.wipe()
})

afterAll(async () => {
  server?.close()
  await forum?.close()
  await meili?.remove()
})

/** A build of another replica, which ends between two questions of this replica to Meilisearch. */
async function endsBetweenQuestions(): Promise<void> {
  await behind.leaveBuild()
  let ending: Promise<void> | undefined
  const end = async <T>(answer: T) => {
    ending ??= behind.endBuild({ stream: 'a stream', position: 0 })
    await ending
    return answer
  }
  const { generationOf, client } = index
  const getRawIndexes = client.getRawIndexes.bind(client)
  jest
    .spyOn(index, 'generationOf')
    .mockImplementation((uid) => generationOf.call(index, uid).then(end))
  jest
    .spyOn(client, 'getRawIndexes')
    .mockImplementation((wanted) => getRawIndexes(wanted).then(end))
}

describeWithMeili('the state of a rebuild', () => {
  it('has the new generation as soon as it says that the rebuild is over', async () => {
    const builder = new Builder({ bus: forum.replica, index }, createLogger('search', 'silent'))
    await builder.close()
    await endsBetweenQuestions()

    const [first, then] = [await builder.state(), await builder.state()]

    expect(first.state).toBe('running')
    expect(then).toMatchObject({ state: 'idle', generation: `${index.buildPrefix}left` })
  })
})

describeWithMeili('a requested build', () => {
  it('is claimed even if another replica has just begun a build that it finds unwanted', async () => {
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

  it('is claimed by only one of two replicas that are asked at the same time', async () => {
    const claimed = await Promise.all([claimBuild(index), claimBuild(index)])

    const [uid, ...more] = claimed.filter((one) => one !== undefined)
    expect(more).toEqual([])
    expect(await oldestBuild(index)).toBe(uid)
  })

  it('can be claimed if the build before it is searched and only has to be deleted', async () => {
    const before = (await claimBuild(index)) as string
    expect(await claimBuild(index)).toBeUndefined()
    await prepareIndex(index, before)
    await promoteIndex(index, before, { stream: 'a stream', position: 0 })

    expect(await claimBuild(index)).toMatch(index.buildPrefix)
  })

  it('is not claimed if another replica ends its build between two looks', async () => {
    await endsBetweenQuestions()

    expect(await claimBuild(index, null)).toBeUndefined()
  })

  it('does not count as abandoned, however old it is, if another replica ends it between two looks', async () => {
    await endsBetweenQuestions()
    aMinuteLater()

    expect(await isBuildAbandoned(index)).toBe(false)
  })

  it.each([-1, 1])(
    'has its age by the clock of Meilisearch, even if the local clock is %i hours ahead',
    async (hours) => {
      const { now } = Date
      jest.spyOn(Date, 'now').mockImplementation(() => now() + hours * 3_600_000)
      // It uses the time of this computer until Meilisearch has told its own.
      const started = connectMeili(meili.url, meili.key)
      const here = new ForumIndex(started, prefix)
      await claimBuild(here)

      const begun = await isBuildAbandoned(here)
      aMinuteLater()
      const later = await isBuildAbandoned(here)

      started.close()
      expect([begun, later]).toEqual([false, true])
    },
  )

  it('counts as abandoned after a minute, unless Meilisearch has a task left for it', async () => {
    const uid = (await claimBuild(index)) as string
    await createIndex(index, index.live)
    const release = await behind.holdUp()
    aMinuteLater()

    const busyElsewhere = await isBuildAbandoned(index)
    const filling = await index.fill(uid, Buffer.from(JSON.stringify(aPost())))
    const waiting = await isBuildAbandoned(index)
    await release()
    await index.done(filling)
    const done = await isBuildAbandoned(index)

    expect({ busyElsewhere, waiting, done }).toEqual({
      busyElsewhere: true,
      waiting: false,
      done: true,
    })
  })
})
