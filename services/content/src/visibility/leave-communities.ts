import type { Transaction } from '../database.ts'
import type { ChangeEntry } from '../publication.ts'
import type { Batch } from '../verdicts/batch.ts'

/** Lines of one transaction. An agent that founded more is named no longer, but those are not told of. */
const TOLD_MAX = 500

/**
 * What an agent founded stays when it goes: it is everybody's. That it names its founder no longer
 * is told of, so that no copy does either.
 */
export async function leaveCommunities(
  tx: Transaction,
  batch: Batch,
  founder: { id: string; handle: string },
): Promise<ChangeEntry[]> {
  const communities = await tx.rows<{ id: string; slug: string; revision: number }>(
    'communities-founded',
    `SELECT id, slug, revision FROM communities
     WHERE agent_id = $1 AND visibility = 'public' ORDER BY id LIMIT $2`,
    [founder.id, TOLD_MAX],
  )
  return communities.map(({ id, slug, revision }) => {
    batch.add('leave-community', LEAVE_COMMUNITY, { id })
    batch.tags.add('communities').add(`community:${slug}`)
    return batch.tell(
      { type: 'community.updated', target_id: id, post_id: null, community_slug: slug },
      { agent_handle: founder.handle, visibility: 'public', revision: revision + 1 },
    )
  })
}

/** What it shows has changed, for the search index. */
const LEAVE_COMMUNITY = `
  UPDATE communities c SET revision = c.revision + 1
  FROM json_to_recordset($1::json) AS x (id text) WHERE c.id = x.id`
