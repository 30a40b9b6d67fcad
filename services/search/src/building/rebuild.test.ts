import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals'
import { streamState } from '@stoa/shared/bus/stream-state.js'
import { STREAMS } from '@stoa/shared/bus/streams.js'
import { rebuildSearch } from '@stoa/shared/contracts/rebuild.js'
import { SearchType } from '@stoa/shared/contracts/search.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { type EnqueuedTaskPromise, Meilisearch } from 'meilisearch'
import { eventually, eventuallyPasses } from '../../../../tests/support/eventually.ts'
import { describeWithMeili } from '../../../../tests/support/meilisearch.ts'
import { signal } from '../../../../tests/support/signal.ts'
import { ForumIndex } from '../indexing/forum-index.ts'
import { aMinuteLater } from '../testing/a-minute-later.ts'
import { aPost, Forum } from '../testing/harness.ts'
import { OwnMeili } from '../testing/own-meili.ts'
import { Builder } from './builder.ts'

/** A server of its own, because the test holds it up, with all tasks of all indexes. */
let server: OwnMeili
let forum: Forum

beforeAll(async () => {
  server = await OwnMeili.start()
  forum = await Forum.start(server)
})

afterAll(async () => {
  await forum?.close()
  await server?.remove()
})

/** Lets a Meilisearch that is held up go on. */
let release = async () => {}

afterEach(async () => {
  jest.restoreAllMocks()
  await release()
  await forum?.reset()
})

/** Search with one post in its index, and a second post that only a rebuild can find. */
async function searchBehind(replicas = 1): Promise<string[]> {
  const posts = [aPost(), aPost()]
  const [known, unknown] = posts as [(typeof posts)[0], (typeof posts)[0]]
  forum.documents.set(known.id, known)
  for (let i = 0; i < replicas; i++) await forum.startSearch()
  await eventuallyPasses(async () =>
    expect(await forum.ids({ kind: 'result' })).toEqual([known.id]),
  )
  // Each replica logs this once it has begun or stepped back.
  await eventuallyPasses(async () => expect(said('the index is there')).toBe(replicas))
  await eventuallyPasses(async () => expect((await forum.rebuild(false)).state).toBe('idle'))
  forum.documents.set(unknown.id, unknown)
  return [known.id, unknown.id]
}

/** Only an index with the settings of a forum answers a filter. */
const found = async () => (await forum.ids({ kind: 'result' })).sort()

/** Runs `act` once, while a rebuild waits for its first documents. */
function onceReading(act: () => Promise<void>): void {
  forum.whileReading = async (limit) => {
    if (limit === 1) return
    forum.whileReading = () => {}
    await act()
  }
}

/** How often this message was logged. */
const said = (what: string) => forum.logged.filter((line) => JSON.parse(line).msg === what).length

/** Makes Meilisearch act at once, while its answers to this method come later. */
function holdBack(method: 'createIndex' | 'swapIndexes' | 'deleteIndex') {
  const goesOn = signal()
  const atOnce = Meilisearch.prototype[method] as (...args: unknown[]) => EnqueuedTaskPromise
  const later = function (this: Meilisearch, ...args: unknown[]) {
    const answer = atOnce.apply(this, args)
    return goesOn.given.then(() => answer) as EnqueuedTaskPromise
  }
  jest.spyOn(Meilisearch.prototype, method).mockImplementation(later)
  return goesOn
}

describeWithMeili('a rebuild of the index', () => {
  it('goes on if Meilisearch is busy with other tasks for more than a minute', async () => {
    const all = await searchBehind(2)
    const { generation } = await forum.rebuild(false)
    onceReading(async () => {
      release = await forum.meili.holdUp()
    })
    await forum.rebuild(true)
    const begun = await eventually('Meilisearch has to do something for it', async () => {
      const [uid] = await forum.meili.buildsWaitedFor()
      return uid
    })

    aMinuteLater()
    const looks = jest.spyOn(Meilisearch.prototype, 'getRawIndexes')
    // Each of the two replicas looks every other second.
    await eventuallyPasses(async () => expect(looks.mock.calls.length).toBeGreaterThan(8))
    const waitedFor = await forum.meili.buildsWaitedFor()
    // Otherwise a build without a task, as between two of them, would count as abandoned.
    jest.restoreAllMocks()
    await release()

    expect(waitedFor).toEqual([begun])
    await eventuallyPasses(async () => expect((await forum.rebuild(false)).state).toBe('idle'))
    expect(await found()).toEqual(all.sort())
    expect((await forum.rebuild(false)).generation).not.toBe(generation)
  })

  it('is not begun if another replica has finished a rebuild since this replica looked', async () => {
    const known = aPost()
    forum.documents.set(known.id, known)
    // One replica counts the documents, and reads them when the other counts too, which waits for
    // its end.
    const [otherCounts, isEnded] = [signal(), signal()]
    let counted = 0
    forum.whileReading = (limit) => {
      if (limit > 1) return otherCounts.given
      if (++counted <= SearchType.options.length) return
      otherCounts.give()
      return isEnded.given
    }
    await forum.startSearch()
    await eventuallyPasses(async () => expect(counted).toBe(SearchType.options.length))
    await forum.startSearch()
    await eventuallyPasses(async () => expect(await found()).toEqual([known.id]))
    await eventuallyPasses(async () => expect(await forum.meili.builds()).toBe(0))
    const { generation } = await forum.rebuild(false)

    isEnded.give()

    // Each replica logs this when it looks again, after it has begun or stepped back.
    await eventuallyPasses(async () => expect(said('the index is there')).toBe(2))
    await eventuallyPasses(async () => expect(await forum.meili.builds()).toBe(0))
    expect((await forum.rebuild(false)).generation).toBe(generation)
    expect(said('rebuilt')).toBe(1)
  })

  it('is not begun if another replica ends a rebuild while this replica looks', async () => {
    await forum.meili.leaveBuild()
    const { created, lastSeq } = await streamState(forum.content.nc, STREAMS.forum.name)
    const { isBuilt } = ForumIndex.prototype
    jest.spyOn(ForumIndex.prototype, 'isBuilt').mockImplementationOnce(async function (
      this: ForumIndex,
    ) {
      const built = await isBuilt.call(this)
      await forum.meili.endBuild({ stream: created, position: lastSeq })
      return built
    })

    await forum.startSearch()

    await eventuallyPasses(async () => expect(await forum.health()).toMatchObject({ status: 'ok' }))
    await eventuallyPasses(async () => expect((await forum.rebuild(false)).state).toBe('idle'))
    expect(said('rebuilt')).toBe(0)
  })

  it('keeps the old index if its new index is deleted', async () => {
    const [known] = await searchBehind()
    const before = await forum.rebuild(false)
    onceReading(() => forum.meili.wipe('build_'))

    await forum.rebuild(true)

    await eventuallyPasses(async () => expect((await forum.rebuild(false)).state).toBe('failed'))
    expect(await found()).toEqual([known])
    expect((await forum.rebuild(false)).generation).toBe(before.generation)
  })

  it('keeps the old index if Meilisearch refuses a document of the new index', async () => {
    await searchBehind()
    const before = await forum.rebuild(false)
    const { fill } = ForumIndex.prototype
    jest.spyOn(ForumIndex.prototype, 'fill').mockImplementationOnce(function (
      this: ForumIndex,
      uid,
    ) {
      return fill.call(this, uid, Buffer.from('{"title":"It has no id"}'))
    })

    await forum.rebuild(true)

    await eventuallyPasses(async () => expect((await forum.rebuild(false)).state).toBe('failed'))
    expect((await forum.rebuild(false)).generation).toBe(before.generation)
  })

  it('keeps the old index if its replica is stopped while it reads', async () => {
    await searchBehind()
    const { generation } = await forum.rebuild(false)
    const stops = jest.spyOn(Builder.prototype, 'close')
    const reads = signal()
    onceReading(async () => {
      reads.give()
      await eventuallyPasses(async () => expect(stops).toHaveBeenCalled())
    })
    await forum.rebuild(true)
    await reads.given

    await forum.stopSearch()

    await forum.startSearch()
    await eventuallyPasses(async () => expect(await forum.health()).toMatchObject({ status: 'ok' }))
    expect((await forum.rebuild(false)).generation).toBe(generation)
  })

  it('fails without an unhandled rejection if content does not answer for the page ahead', async () => {
    await searchBehind()
    // A page of such posts makes one task.
    for (let n = 0; n < 200; n++) {
      const post = aPost({ body_md: 'tide'.repeat(2_700) })
      forum.documents.set(post.id, post)
    }
    jest.spyOn(ForumIndex.prototype, 'fill').mockRejectedValueOnce(new Error('no room'))
    const hasFailed = async () => expect((await forum.rebuild(false)).state).toBe('failed')
    const isRefused = signal()
    onceReading(async () => {
      onceReading(async () => {
        await eventuallyPasses(hasFailed)
        isRefused.give()
        throw new AppError('unavailable')
      })
    })

    await forum.rebuild(true)
    await isRefused.given

    // Search has heard the refusal before it answers. A rejection that nobody catches fails this
    // test, and would end the process.
    await hasFailed()
  })

  it('succeeds on the next request after it has failed', async () => {
    const all = await searchBehind()
    jest.spyOn(ForumIndex.prototype, 'fill').mockRejectedValueOnce(new Error('no room'))
    await forum.rebuild(true)
    await eventuallyPasses(async () => expect((await forum.rebuild(false)).state).toBe('failed'))

    await forum.rebuild(true)

    await eventuallyPasses(async () => expect((await forum.rebuild(false)).state).toBe('idle'))
    expect(await found()).toEqual(all.sort())
    expect(await forum.meili.builds()).toBe(0)
  })

  it('is begun once if it is requested again before a busy Meilisearch has created its index', async () => {
    await searchBehind()
    release = await forum.meili.holdUp()
    const created = jest.spyOn(Meilisearch.prototype, 'createIndex')

    const asked = [forum.rebuild(true), forum.rebuild(true)]
    await eventuallyPasses(async () => expect(created).toHaveBeenCalled())
    await release()

    await Promise.all(asked)
    const builds = created.mock.calls.filter(([uid]) => /build_(?!.*_recent$)/.test(uid))
    expect(builds).toHaveLength(1)
  })

  it('keeps the old index if the new index does not catch up with the events in time', async () => {
    await searchBehind()
    const before = await forum.rebuild(false)
    onceReading(() => forum.publish(aPost()))
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const tenMinutes = 10 * 60_000
    jest
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((ms) => timeout(ms === tenMinutes ? 0 : ms))

    await forum.rebuild(true)

    await eventuallyPasses(async () => expect((await forum.rebuild(false)).state).toBe('failed'))
    expect((await forum.rebuild(false)).generation).toBe(before.generation)
  })

  it.each([
    ['has not heard yet that what it filled is searched', 'swapIndexes'],
    ['only has to take away what it has replaced', 'deleteIndex'],
  ] as const)('is begun again on request if the rebuild before it %s', async (_, last) => {
    await searchBehind()
    const before = await forum.rebuild(false)
    const goesOn = holdBack(last)
    await forum.rebuild(true)
    const { generation } = await eventually('what was filled is searched', async () => {
      const now = await forum.rebuild(false)
      return now.generation !== before.generation && now
    })

    const asked = forum.rebuild(true)
    goesOn.give()

    expect((await asked).state).toBe('running')
    await eventuallyPasses(async () => expect((await forum.rebuild(false)).state).toBe('idle'))
    expect((await forum.rebuild(false)).generation).not.toBe(generation)
  })

  it('sends no document if its index for new texts cannot be created', async () => {
    await searchBehind()
    const { of } = ForumIndex.prototype
    jest.spyOn(ForumIndex.prototype, 'of').mockImplementation(function (this: ForumIndex, uid) {
      if (/build_.*_recent$/.test(uid)) throw new Error('no room')
      return of.call(this, uid)
    })
    const sent = jest.spyOn(ForumIndex.prototype, 'fill')

    await forum.rebuild(true)

    await eventuallyPasses(async () => expect((await forum.rebuild(false)).state).toBe('failed'))
    expect(sent).not.toHaveBeenCalled()
  })

  it('is begun again after its replica was killed', async () => {
    const all = await searchBehind()
    await forum.meili.leaveBuild(aPost())
    // One of two documents of the forum.
    expect(await forum.rebuild(false)).toMatchObject({ state: 'running', done: 1, total: 2 })

    aMinuteLater()

    await eventuallyPasses(async () => expect((await forum.rebuild(false)).state).toBe('idle'))
    expect(await found()).toEqual(all.sort())
  })
})

describeWithMeili('a post that is published during a rebuild', () => {
  it('is found in the new index from the first moment on', async () => {
    const post = aPost({ title: 'First draft' })
    forum.documents.set(post.id, post)
    await forum.startSearch()
    await eventuallyPasses(async () => expect(await found()).toEqual([post.id]))
    await eventuallyPasses(async () => expect((await forum.rebuild(false)).state).toBe('idle'))
    const before = await forum.rebuild(false)
    onceReading(() => forum.publish({ ...post, title: 'Second draft', version: 2 }))
    const goesOn = holdBack('swapIndexes')

    await forum.rebuild(true)
    await eventually('what was filled is searched', async () => {
      return (await forum.rebuild(false)).generation !== before.generation
    })

    const ids = await forum.ids({ q: 'second' })
    goesOn.give()
    expect(ids).toEqual([post.id])
  })

  it('is found even if content is away while the new index catches up', async () => {
    const [first, during, last] = [aPost(), aPost(), aPost()]
    forum.documents.set(first.id, first)
    onceReading(() => forum.publish(during))
    forum.beforeComparing = async () => {
      forum.beforeComparing = () => {}
      await forum.publish(last)
      // There is no index yet that the event could go into.
      await eventuallyPasses(async () => expect(await forum.consumedTo()).toBe(await forum.told()))
      forum.whileReading = () => {
        forum.whileReading = () => {}
        throw new AppError('unavailable')
      }
    }
    await forum.startSearch()
    await eventuallyPasses(async () => expect(await found()).toContain(during.id))

    aMinuteLater()

    const all = [first, during, last].map(({ id }) => id).sort()
    await eventuallyPasses(async () => expect(await found()).toEqual(all))
  })

  it('is found even if its replica is stopped while content is away', async () => {
    const post = aPost({ title: 'First draft' })
    forum.documents.set(post.id, post)
    const stops = jest.spyOn(Builder.prototype, 'close')
    const catchesUp = signal()
    onceReading(async () => {
      await forum.publish({ ...post, title: 'Second draft', version: 2 })
      forum.whileReading = async (limit) => {
        if (limit > 1) return
        catchesUp.give()
        await eventuallyPasses(async () => expect(stops).toHaveBeenCalled())
        throw new AppError('unavailable')
      }
    })
    await forum.startSearch()
    await catchesUp.given
    // There is no index yet that the event could go into.
    await eventuallyPasses(async () => expect(await forum.consumedTo()).toBe(await forum.told()))

    await forum.stopSearch()
    // Otherwise the next replica would wait until it counts as abandoned.
    expect(await forum.meili.builds()).toBe(0)
    forum.whileReading = () => {}
    await forum.startSearch()

    await eventuallyPasses(async () => expect(await forum.ids({ q: 'second' })).toEqual([post.id]))
  })
})

describeWithMeili('search that was stopped for a while', () => {
  it('finds posts that were published meanwhile, even if the bus has dropped their events', async () => {
    const [known, unknown] = await searchBehind()
    const before = await forum.rebuild(false)
    await forum.stopSearch()
    const meanwhile = aPost()
    await forum.publish(meanwhile)
    await forum.expireEvents()

    await forum.startSearch()

    const all = [known, unknown, meanwhile.id].sort()
    await eventuallyPasses(async () => expect(await found()).toEqual(all))
    await eventuallyPasses(async () => expect((await forum.rebuild(false)).state).toBe('idle'))
    expect((await forum.rebuild(false)).generation).not.toBe(before.generation)
  })

  it('reads on without a rebuild if the bus has kept all events', async () => {
    const [known] = await searchBehind()
    const before = await forum.rebuild(false)
    await forum.expireEvents()
    await forum.stopSearch()
    const meanwhile = aPost()
    await forum.publish(meanwhile)

    await forum.startSearch()

    await eventuallyPasses(async () => expect(await found()).toEqual([known, meanwhile.id].sort()))
    expect(await forum.rebuild(false)).toEqual(before)
  })
})

describeWithMeili('the command that rebuilds the index', () => {
  it('waits for a rebuild that begins late because Meilisearch is busy', async () => {
    const all = await searchBehind()
    const goesOn = holdBack('createIndex')

    const ended = forum.rebuildByCommand()
    await eventuallyPasses(async () => expect(Meilisearch.prototype.createIndex).toHaveBeenCalled())
    const askedAt = performance.now()
    await eventually('nobody waits for the first answer any more', async () => {
      return performance.now() - askedAt > rebuildSearch.timeoutMs
    })
    goesOn.give()

    expect(await ended).toEqual({ code: 0, output: expect.stringContaining('is rebuilt') })
    expect(await found()).toEqual(all.sort())
  })

  it('waits for another replica if the replica that began the rebuild is stopped', async () => {
    const all = await searchBehind()
    const begun = new Promise<void>((resolve) => {
      onceReading(async () => {
        await forum.stopSearch()
        resolve()
      })
    })

    const ended = forum.rebuildByCommand()
    await begun
    aMinuteLater()
    await forum.startSearch()

    expect(await ended).toEqual({ code: 0, output: expect.stringContaining('is rebuilt') })
    expect(await found()).toEqual(all.sort())
  })

  it('waits while the only replica is started again', async () => {
    const all = await searchBehind()
    await forum.stopSearch()

    const { said, code } = forum.beginRebuildByCommand()
    const waits = 'search does not answer yet: waiting for it'
    await eventuallyPasses(async () => expect(said()).toContain(waits))
    await forum.startSearch()

    expect(await code).toBe(0)
    expect(said()).toContain('search is rebuilt')
    expect(await found()).toEqual(all.sort())
  })

  it('fails if the index was not rebuilt, whichever replica it asks', async () => {
    await searchBehind(2)
    onceReading(() => forum.meili.wipe('build_'))

    const { code, output } = await forum.rebuildByCommand()

    expect(code).toBe(1)
    expect(output).toContain('search was not rebuilt')
  })
})
