import { randomToken } from '@stoa/shared/identifiers/ids.js'
import type { ForumIndex } from '../indexing/forum-index.ts'
import {
  createIndex,
  dropIndex,
  emptyBeside,
  withoutBeside,
} from '../indexing/index-generations.ts'
import { call } from '../meilisearch/meili.ts'

/** A build is abandoned if nothing was written to it for this long and no task for it waits. */
const ABANDONED_AFTER_MS = 60_000
const INDEXES_MAX = 1_000

interface Build {
  uid: string
  createdAt: string
  updatedAt: string
}

/**
 * Creates an index to build in; returns undefined if another replica is building. The indexes
 * themselves are the lock: each replica creates its own and then looks, the oldest that is not
 * abandoned goes on and drops the abandoned ones, and the other replicas step back. So each index
 * that can be seen is going to be built, or is younger than one that is. A replica that builds
 * because it saw `generation` searched creates none if another generation is searched by now.
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

/** The oldest index that is being built, or was until its builder was killed. */
export async function oldestBuild(index: ForumIndex): Promise<string | undefined> {
  return (await listBuilds(index))[0]?.uid
}

/** Whether a build was begun that nobody will end. */
export async function isBuildAbandoned(index: ForumIndex): Promise<boolean> {
  return (await sortedOut(index)).abandoned.length > 0
}

interface SortedOut {
  kept: string[]
  abandoned: string[]
  searched: string | null
}

/**
 * An index that is searched already is not kept: it was read before the present caller asked. A
 * build is dropped only after its swap, so if it is no longer listed, `searched` shows the swap.
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
  // Meilisearch may be busy with other tasks for longer.
  const { total } = await call(
    index.client.tasks.getTasks({
      indexUids: [uid, emptyBeside(uid)],
      statuses: ['enqueued', 'processing'],
      limit: 1,
    }),
  )
  // If the index is gone, its builder has finished in the meantime.
  return total === 0 && (await index.exists(uid))
}
