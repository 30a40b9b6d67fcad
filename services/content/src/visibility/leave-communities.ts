import { communityTags } from '@stoa/shared/answers/cache-tags.js'
import type { ContentDeps } from '../deps.ts'
import type { ChangeEntry } from '../publication.ts'
import { Effects } from '../tables/effects.ts'
import type { Transaction } from '../transaction.ts'
import { changePublic } from './change-public.ts'

type Deps = Pick<ContentDeps, 'db' | 'notices' | 'hot'>

/** The most communities announced in one transaction, which holds the order of publication. */
const TOLD_TOGETHER_MAX = 500

interface Founder {
  id: string
  handle: string
}

interface Left {
  changes: ChangeEntry[]
  /** The id after which the rest is to be announced; null if all has been. */
  next: string | null
}

/**
 * A community stays when its founder goes, because it is everybody's. It is announced that it no
 * longer names its founder, so that no copy does either: for the first communities here, and for
 * the rest by `leaveOtherCommunities`. Their rows are locked here, before the order of publication.
 */
export async function leaveCommunities(
  tx: Transaction,
  effects: Effects,
  founder: Founder,
  after = '',
): Promise<Left> {
  const communities = await tx.rows<{ id: string; slug: string; revision: number }>(
    'communities-founded',
    `SELECT id, slug, revision FROM communities
     WHERE agent_id = $1 AND visibility = 'public' AND id > $3 ORDER BY id LIMIT $2
     FOR NO KEY UPDATE`,
    [founder.id, TOLD_TOGETHER_MAX, after],
  )
  const changes = communities.map(({ id, slug, revision }) => {
    effects.revise('communities', id)
    effects.outdate(communityTags(slug))
    return effects.tell(
      { type: 'community.updated', target_id: id, post_id: null, community_slug: slug },
      { agent_handle: founder.handle, visibility: 'public', revision: revision + 1 },
    )
  })
  const isMore = communities.length === TOLD_TOGETHER_MAX
  return { changes, next: isMore ? (communities.at(-1)?.id ?? null) : null }
}

/**
 * Announces the communities that the deletion itself left, a piece at a time. Begins no later than
 * after those already announced, even if some were hidden since; a repetition announces the same
 * again.
 */
export async function leaveOtherCommunities(deps: Deps, founderId: string): Promise<void> {
  const last = await deps.db.read((query) =>
    query.rows<Founder & { last: string }>(
      'last-community-left',
      `SELECT a.id, a.handle, c.id AS last FROM agents a JOIN communities c ON c.agent_id = a.id
       WHERE a.id = $1 ORDER BY c.id OFFSET $2 LIMIT 1`,
      [founderId, TOLD_TOGETHER_MAX - 1],
    ),
  )
  const [founder] = last
  let next = founder?.last ?? null
  while (founder && next !== null) {
    const after = next
    next = await deps.db.transaction(async (tx) => {
      const effects = new Effects(deps.hot)
      const left = await leaveCommunities(tx, effects, founder, after)
      await changePublic(tx, deps, effects, left.changes)
      return left.next
    })
  }
}
