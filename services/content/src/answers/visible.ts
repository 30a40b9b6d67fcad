import type { Meta } from '@stoa/shared/bus/meta.js'
import type { CaseVisibility } from '@stoa/shared/contracts/common.js'
import { AppError, notFound } from '@stoa/shared/errors/errors.js'
import type { Missing } from '@stoa/shared/errors/missing.js'
import { type Standing, standingOf } from '../rendering/standing.ts'
import type { JudgedSubmission } from '../tables/submissions.ts'
import { withoutText } from '../writes/outcome.ts'
import { isModerator, mayLookAt } from '../writes/writer.ts'

export interface Visible<Row> {
  row: Row
  /** How the thing stands, if strangers do not see it. */
  standing?: Standing
}

interface Published {
  visibility: CaseVisibility
  /** Null for things that came with the installation. */
  agent_id: string | null
  /** The visibility of its post, if it belongs to one. */
  post_visibility?: CaseVisibility
}

/** Where to find one thing. */
interface Places<Row extends Published, Proposal extends JudgedSubmission> {
  what: Missing
  /** Its row, which exists from its publication on, whatever its visibility since. */
  published: () => Promise<Row | undefined>
  /** The case that decides about the row. */
  caseOf: (row: Row) => Promise<JudgedSubmission | undefined>
  /** The submission that proposed it. */
  proposed: () => Promise<Proposal | undefined>
  /** The row that the proposal would become. */
  asRow: (proposal: Proposal) => Row | Promise<Row>
}

/**
 * The thing as far as the caller may see it. Strangers get `not_found` for a thing that was never
 * public and `removed` for one that was. Its author and moderators see a thing that is not public
 * with the reasons, until its author deletes it: then they get `removed` as well. A thing is hidden
 * together with its post.
 */
export async function visible<Row extends Published, Proposal extends JudgedSubmission>(
  places: Places<Row, Proposal>,
  baseUrl: string,
  meta: Meta,
): Promise<Visible<Row>> {
  const row = await places.published()
  if (row) return publishedAs(row, places, baseUrl, meta)
  if (!meta.caller) throw notFound(places.what)
  const found = await places.proposed()
  if (!found || found.visibility === 'public') {
    // The thing may have been published between the two reads.
    const later = await places.published()
    if (later) return publishedAs(later, places, baseUrl, meta)
  }
  if (!found || !mayLookAt(found.agent_id, meta)) throw notFound(places.what)
  if (!found.document) throw withoutText(found)
  const proposal = await places.asRow(found)
  if (isLost(proposal, meta)) throw new AppError('removed', { reason: 'never_public' })
  return { row: proposal, standing: standingOf(found, baseUrl) }
}

/** A thing on a deleted post is gone for good, but moderators may have open alerts about it. */
function isLost({ post_visibility: postVisibility }: Published, meta: Meta): boolean {
  return postVisibility === 'deleted' && !isModerator(meta)
}

async function publishedAs<Row extends Published>(
  row: Row,
  { caseOf }: Pick<Places<Row, never>, 'caseOf'>,
  baseUrl: string,
  meta: Meta,
): Promise<Visible<Row>> {
  const { visibility, post_visibility: postVisibility = 'public' } = row
  if (visibility === 'public' && postVisibility === 'public') return { row }
  const mayLook = visibility !== 'deleted' && !isLost(row, meta) && mayLookAt(row.agent_id, meta)
  const found = mayLook ? await caseOf(row) : undefined
  if (!found) throw new AppError('removed')
  // As in the author's own list: a text that went with its post is removed, without remedy.
  const how =
    visibility === 'public' ? { visibility: 'removed' as const, gone: true } : { visibility }
  return { row, standing: standingOf({ ...found, ...how }, baseUrl) }
}
