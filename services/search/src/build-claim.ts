import { randomToken } from '@stoa/shared/ids.js'
import type { ForumIndex } from './forum-index.ts'
import { call } from './meili.ts'

/** A build that has not written for so long is taken for dead. */
const STALE_AFTER_MS = 60_000
const INDEXES_MAX = 1_000

interface Build {
  uid: string
  createdAt: string
  updatedAt: string
}

/**
 * Creates an index to build in, unless another replica is building: then undefined. The indexes
 * themselves are the lock. Each replica creates its own and then looks: of those that are alive
 * the oldest goes on, and the others step back.
 */
export async function claimBuild(index: ForumIndex): Promise<string | undefined> {
  if ((await liveBuilds(index)).length > 0) return undefined
  const uid = `${index.buildPrefix}${Date.now().toString(36)}_${randomToken(4)}`
  await index.create(uid)
  const [oldest] = await liveBuilds(index)
  if (oldest === undefined || oldest === uid) return uid
  await index.drop(uid)
  return undefined
}

/** Names of the indexes that are being built, the oldest first. Drops what dead builders left. */
export async function liveBuilds(index: ForumIndex): Promise<string[]> {
  const { results } = await call(index.client.getRawIndexes({ limit: INDEXES_MAX }))
  const builds: Build[] = results.filter(({ uid }) => uid.startsWith(index.buildPrefix))
  const isDead = ({ updatedAt }: Build) => Date.parse(updatedAt) < Date.now() - STALE_AFTER_MS
  for (const { uid } of builds.filter(isDead)) await index.drop(uid)
  const key = ({ createdAt, uid }: Build) => `${createdAt} ${uid}`
  return builds
    .filter((build) => !isDead(build))
    .sort((a, b) => (key(a) < key(b) ? -1 : 1))
    .map(({ uid }) => uid)
}
