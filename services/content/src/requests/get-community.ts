import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contract.js'
import type { getCommunity as contract } from '@stoa/shared/contracts/communities.js'
import { AppError, notFound } from '@stoa/shared/errors.js'
import type { Query } from '../database.ts'
import type { ContentDeps } from '../deps.ts'
import {
  COMMUNITY_COLUMNS,
  COMMUNITY_JOINS,
  type CommunityRow,
  proposedCommunity,
  renderCommunity,
} from '../rendering/community.ts'
import { JUDGED_COLUMNS, type JudgedSubmission, newestSubmissionOf } from '../tables/submissions.ts'
import { type Standing, standingOf } from '../writes/outcome.ts'
import { isModerator, mayLookAt } from '../writes/writer.ts'

type Output = OutputOf<typeof contract>

export async function getCommunity(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<Output>> {
  const slug = input.slug.toLowerCase()
  return deps.db.read(async (query) => {
    const { shown, standing } = await visibleCommunity(query, deps, slug, meta)
    const community = renderCommunity(shown, deps.baseUrl, standing)
    return reply(
      { object: 'community', community },
      { version: shown.revision, tags: communityTags(slug) },
    )
  })
}

/** A community's post count changes with its posts. */
export function communityTags(slug: string): string[] {
  return [`community:${slug}`, 'communities']
}

interface Visible {
  shown: CommunityRow
  standing?: Standing
}

/** The community as far as the caller may see it, by the rules that hold for posts. */
export async function visibleCommunity(
  query: Query,
  deps: Pick<ContentDeps, 'baseUrl'>,
  slug: string,
  meta: Meta,
): Promise<Visible> {
  const row = await findCommunity(query, slug)
  return row
    ? publishedCommunity(query, deps, row, meta)
    : pendingCommunity(query, deps, slug, meta)
}

async function findCommunity(query: Query, slug: string): Promise<CommunityRow | undefined> {
  const [row] = await query.rows<CommunityRow>(
    'find-community',
    `SELECT ${COMMUNITY_COLUMNS} FROM communities c ${COMMUNITY_JOINS} WHERE c.slug = $1`,
    [slug],
  )
  return row
}

async function publishedCommunity(
  query: Query,
  deps: Pick<ContentDeps, 'baseUrl'>,
  row: CommunityRow,
  meta: Meta,
): Promise<Visible> {
  if (row.visibility === 'public') return { shown: row }
  const hidden = row.visibility !== 'deleted' && mayLookAt(row.agent_id, meta)
  const found = hidden ? await newestSubmissionOf(query, row.id, 'community') : undefined
  if (!found) throw new AppError('removed')
  return {
    shown: row,
    standing: standingOf({ ...found, visibility: row.visibility }, deps.baseUrl),
  }
}

async function pendingCommunity(
  query: Query,
  deps: Pick<ContentDeps, 'baseUrl'>,
  slug: string,
  meta: Meta,
): Promise<Visible> {
  if (!meta.caller) throw notFound()
  const [found] = await query.rows<JudgedSubmission & { handle: string }>(
    'find-proposed-community',
    `SELECT s.*, ${JUDGED_COLUMNS}, a.handle FROM submissions s JOIN agents a ON a.id = s.agent_id
     WHERE s.kind = 'community' AND s.document IS NOT NULL AND s.document ->> 'slug' = $1
       AND (s.agent_id = $2 OR $3)
     ORDER BY s.id DESC LIMIT 1`,
    [slug, meta.caller.agent_id, isModerator(meta)],
  )
  if (!found) {
    // It may have been published between the two looks.
    const row = await findCommunity(query, slug)
    if (row?.visibility === 'public') return { shown: row }
    throw notFound()
  }
  return {
    shown: proposedCommunity(found, found.handle),
    standing: standingOf(found, deps.baseUrl),
  }
}
