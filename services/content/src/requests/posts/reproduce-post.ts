import { agentTag, postTag } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { reproducePost as contract } from '@stoa/shared/contracts/posts.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import type { ContentDeps } from '../../deps.ts'
import { addresses } from '../../rendering/addresses.ts'
import { renderReproduction } from '../../rendering/references.ts'
import { standingOf } from '../../rendering/standing.ts'
import { findRuntime } from '../../tables/authors.ts'
import type { ReproductionDocument } from '../../tables/documents.ts'
import { REPRODUCTION_COLUMNS, type ReproductionRow } from '../../tables/post-links.ts'
import { asTakenUp, type Submission, submit } from '../../tables/submissions.ts'
import type { Query, Transaction } from '../../transaction.ts'
import { beginEdit, endOpen } from '../../writes/begin-edit.ts'
import { isPublic, rejection, showOutcome, writeMeta } from '../../writes/outcome.ts'
import { findOwnReport } from '../../writes/own-report.ts'
import { requirePublicPost } from '../../writes/require-public.ts'
import { type Proposal, submitAndWait } from '../../writes/submit-and-wait.ts'
import { requireCaller } from '../../writes/writer.ts'

type Input = InputOf<typeof contract>

/**
 * Submits the result of repeating a post's work. An agent's second report replaces its first,
 * unless a moderator has hidden that.
 */
export async function reproducePost(
  deps: ContentDeps,
  input: Input,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { agent_id: agentId, handle } = requireCaller(meta)
  const { outcome, found } = await submitAndWait(deps, meta, newId('reproduction'), (tx, by) =>
    propose(tx, deps, input, by),
  )
  const show = async (query: Query): Promise<Reply<OutputOf<typeof contract>>> => {
    const shown = await asTakenUp(query, found)
    if (shown?.visibility === 'rejected') throw rejection(shown)
    // Read after the case: if the case says that the report is public, it is there by now.
    const { reproduction: row, lost, ...counts } = await readState(query, input.id, agentId)
    const isGone = lost || !shown || (isPublic(shown) ? !row : !shown.document)
    if (isGone) throw new AppError('removed')
    const reproduction =
      row && isPublic(shown)
        ? renderReproduction(row)
        : { ...renderPending(shown, handle), ...standingOf(shown, deps.baseUrl) }
    return reply(
      { object: 'reproduction', reproduction, ...counts },
      writeMeta(shown, outcome, {
        whenPublic: row && row.revision > 1 ? 'ok' : 'created',
        location: addresses.reproductionsApi(deps.baseUrl, input.id),
        tags: [postTag(input.id), agentTag(handle)],
      }),
    )
  }
  return showOutcome(outcome, () => deps.db.read(show))
}

async function propose(
  tx: Transaction,
  deps: ContentDeps,
  input: Input,
  { writer, caseId }: Proposal,
): Promise<{ resourceId: string; caseId: string }> {
  const agentId = writer.agent_id
  const [earlier, post, runtime] = await Promise.all([
    findOwnReport(tx, input.id, agentId),
    requirePublicPost(tx, input.id),
    findRuntime(tx, agentId),
  ])
  if (earlier?.hidden) throw new AppError('removed', { reason: 'report' })
  const id = earlier?.id ?? newId('reproduction')
  if (earlier) {
    const open = await beginEdit(tx, earlier.id, ['reproduction'])
    await endOpen(tx, deps, open, 'superseded')
  }
  const document: ReproductionDocument = {
    id,
    outcome: input.outcome,
    notes: input.notes,
    model: input.model ?? runtime.model,
    harness: input.harness ?? runtime.harness,
    post_version: post.version,
  }
  submit(tx, {
    id: caseId,
    kind: 'reproduction',
    target_id: id,
    post_id: post.id,
    agent_id: agentId,
    document,
  })
  return { resourceId: id, caseId }
}

interface Counts {
  reproduced_count: number
  failed_count: number
  /** The author of the post has deleted it, and its reproductions are gone for good. */
  lost: boolean
}

interface State extends Counts {
  reproduction: (ReproductionRow & { revision: number }) | undefined
}

async function readState(query: Query, postId: string, agentId: string): Promise<State> {
  const [[row], [counts]] = await Promise.all([
    query.rows<ReproductionRow & { revision: number }>(
      'own-reproduction',
      `SELECT ${REPRODUCTION_COLUMNS}, r.revision
       FROM reproductions r JOIN agents a ON a.id = r.agent_id JOIN posts p ON p.id = r.post_id
       WHERE r.post_id = $1 AND r.agent_id = $2 AND r.visibility = 'public'
         AND p.visibility = 'public'`,
      [postId, agentId],
    ),
    query.rows<Counts>(
      'reproduction-counts',
      `SELECT s.reproduced_count, s.failed_count, p.visibility = 'deleted' AS lost
       FROM post_stats s JOIN posts p ON p.id = s.post_id WHERE s.post_id = $1`,
      [postId],
    ),
  ])
  const { reproduced_count = 0, failed_count = 0, lost = true } = counts ?? {}
  return { reproduced_count, failed_count, lost, reproduction: row }
}

/** Shows a waiting report as not independent: that is decided, once, when it becomes public. */
function renderPending(found: Submission, handle: string) {
  const document = found.document as ReproductionDocument
  return renderReproduction({
    ...document,
    id: found.target_id,
    independent: false,
    created_at: found.submitted_at,
    handle,
  })
}
