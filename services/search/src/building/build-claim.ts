import { randomToken } from '@stoa/shared/identifiers/ids.js'
import type { ForumIndex } from '../indexing/forum-index.ts'
import {
  createIndex,
  dropIndex,
  emptyBeside,
  withoutBeside,
} from '../indexing/index-generations.ts'
import { call } from '../meilisearch/meili.ts'

/** A build that nothing has been written to for so long, and nothing is going to be, is abandoned. */
const ABANDONED_AFTER_MS = 60_000
const INDEXES_MAX = 1_000

interface Build {
  uid: string
  createdAt: string
  updatedAt: string
}

/**
 * Creates an index to build in, unless another replica is building: then undefined. The indexes
 * themselves are the lock. Each replica creates its own and then looks: of those that are not
 * abandoned the oldest goes on, and the others step back. Who goes on drops the abandoned. So what is
 * there to be seen is going to be built, or stands behind what is. A replica that builds since it has seen
 * `generation` searched creates none where that is another by now.
 */
export async function claimBuild(
  index: ForumIndex,
  generation?: string | null,
): Promise<string | undefined> {
  const before = await sortedOut(index)
  if (before.kept.length > 0) return undefined
  if (generation !== undefined && before.searched !== generation) return undefined
  const uid = `${index.buildPrefix}${Date.now().toString(36)}_${randomToken(4)}`
  await createIndex(index, uid)
  const { kept, abandoned } = await sortedOut(index)
  const [oldest = uid] = kept
  const goesOn = oldest === uid
  const dropped = goesOn ? abandoned.filter((one) => one !== uid) : [uid]
  await Promise.all(dropped.map((one) => dropIndex(index, one)))
  return goesOn ? uid : undefined
}

/** The oldest index that is being built, or was before its builder was killed. */
export async function oldestBuild(index: ForumIndex): Promise<string | undefined> {
  return (await listBuilds(index))[0]?.uid
}

/** Whether somebody has begun a build who will not end it. */
export async function isBuildAbandoned(index: ForumIndex): Promise<boolean> {
  return (await sortedOut(index)).abandoned.length > 0
}

interface SortedOut {
  kept: string[]
  abandoned: string[]
  searched: string | null
}

/**
 * What is searched already is not kept: it was read before anybody who looks now asked for it. An index is
 * taken away only behind its exchange, so where it is not listed any more `searched` tells of that.
 */
async function sortedOut(index: ForumIndex): Promise<SortedOut> {
  const builds = await listBuilds(index)
  const searched = await index.generationOf(index.live)
  const kept: string[] = []
  const abandoned: string[] = []
  for (const build of builds) {
    if (await isAbandoned(index, build)) abandoned.push(build.uid)
    else if (build.uid !== searched) kept.push(build.uid)
  }
  return { kept, abandoned, searched }
}

async function listBuilds(index: ForumIndex): Promise<Build[]> {
  const { results } = await call(index.client.getRawIndexes({ limit: INDEXES_MAX }))
  const ours = results.filter(({ uid }) => uid.startsWith(index.buildPrefix))
  const builds: Build[] = withoutBeside(ours)
  const key = ({ createdAt, uid }: Build) => `${createdAt} ${uid}`
  return builds.sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

async function isAbandoned(index: ForumIndex, { uid, updatedAt }: Build): Promise<boolean> {
  if (Date.parse(updatedAt) >= index.now() - ABANDONED_AFTER_MS) return false
  // Meilisearch may be busy with something else for longer.
  const { total } = await call(
    index.client.tasks.getTasks({
      indexUids: [uid, emptyBeside(uid)],
      statuses: ['enqueued', 'processing'],
      limit: 1,
    }),
  )
  // Where it is gone, its builder has come to the end meanwhile.
  return total === 0 && (await index.exists(uid))
}
