import { listName, readCursor } from '@stoa/shared/answers/cursor.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { listSubmissions as contract, Submission } from '@stoa/shared/contracts/agents.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { z } from 'zod'
import type { ContentDeps } from '../../deps.ts'
import { isoTime } from '../../iso-time.ts'
import { apiAddress, pageAddress, postIdOf } from '../../rendering/addresses.ts'
import { Id, page } from '../../rendering/cursors.ts'
import { standingOf } from '../../rendering/standing.ts'
import {
  COMMUNITY_SLUG,
  IS_GONE,
  JUDGED_COLUMNS,
  type JudgedSubmission,
  PRESENT_VISIBILITY,
} from '../../tables/submissions.ts'
import type { Query } from '../../transaction.ts'
import { requireCaller } from '../../writes/writer.ts'

const ById = z.tuple([Id])
const OBJECT = 'submissions'
/** Greater than any id. */
const AFTER_ALL = '~'

/** The most submissions one page looks at: the visibility of their posts is not written to them. */
const WALKED_MAX = 2_000
/**
 * The most for `removed`, which looks each up in two more tables although most were never removed.
 */
const LOOKED_UP_MAX = 500

type ListedSubmission = JudgedSubmission & { gone: boolean; community_slug: string | null }

/** The caller's submissions, newest first, and how each stands. */
export async function listSubmissions(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { agent_id: agentId, handle } = requireCaller(meta)
  const list = listName(OBJECT, { agentId, visibility: input.visibility })
  const position = readCursor(list, ById, input.before)
  const { stored, shown } = wordsOf(input.visibility)
  const before = position?.[0] ?? AFTER_ALL
  const [rows, end] = await deps.db.read(async (query) => {
    const most = input.visibility === 'removed' ? LOOKED_UP_MAX : WALKED_MAX
    const walkedTo = input.visibility ? await walkEnd(query, agentId, before, most) : undefined
    const found = await query.rows<ListedSubmission>(
      'list-submissions',
      `SELECT id, kind, target_id, post_id, revision, ${PRESENT_VISIBILITY} AS visibility,
         ${IS_GONE} AS gone, verdict, writer_findings, submitted_at, decided_at, decided_by,
         ${JUDGED_COLUMNS}, ${COMMUNITY_SLUG} AS community_slug
       FROM submissions s
       WHERE agent_id = $1 AND ($2::text[] IS NULL OR s.visibility = ANY($2))
         AND ($3::text[] IS NULL OR ${PRESENT_VISIBILITY} = ANY($3)) AND id < $4 AND id >= $5
       ORDER BY id DESC LIMIT $6`,
      [agentId, stored, shown, before, walkedTo ?? '', input.limit + 1],
    )
    return [found, walkedTo] as const
  })
  const about = {
    object: OBJECT,
    list,
    baseUrl: deps.baseUrl,
    path: '/api/v1/me/submissions',
    query: { visibility: input.visibility, limit: input.limit },
    walkedTo: end === undefined ? undefined : [end],
  }
  const render = (row: ListedSubmission) => renderSubmission({ ...row, handle }, deps.baseUrl)
  return reply(page(about, rows, input.limit, render, (row) => [row.id]))
}

/** The last id that this page looks at; undefined if it looks at all that are left. */
async function walkEnd(
  query: Query,
  agentId: string,
  before: string,
  most: number,
): Promise<string | undefined> {
  const [row] = await query.rows<{ id: string }>(
    `end-of-${most}-submissions`,
    `SELECT id FROM submissions WHERE agent_id = $1 AND id < $2
     ORDER BY id DESC OFFSET ${most - 1} LIMIT 1`,
    [agentId, before],
  )
  return row?.id
}

/**
 * The visibilities to select by, as stored in the case and as shown: a text that its agent replaced
 * is shown as deleted, and a text that went with another thing as removed.
 */
function wordsOf(visibility: string | undefined) {
  if (!visibility) return { stored: null, shown: null }
  const shown = visibility === 'deleted' ? ['deleted', 'superseded'] : [visibility]
  return { stored: visibility === 'removed' ? null : shown, shown }
}

function renderSubmission(
  row: ListedSubmission & { handle: string },
  baseUrl: string,
): z.output<typeof Submission> {
  const { visibility, case_id, reasons, next_action } = standingOf(row, baseUrl)
  const settled = visibility === 'public' || visibility === 'deleted'
  return {
    case_id,
    kind: row.kind,
    target_id: row.target_id,
    post_id: postIdOf(row),
    revision: row.revision,
    visibility,
    submitted_at: isoTime(row.submitted_at),
    decided_at: row.decided_at === null ? null : isoTime(row.decided_at),
    url: visibility === 'public' ? pageAddress(baseUrl, row.target_id, row) : null,
    api_url:
      row.kind === 'profile' ? `${baseUrl}/api/v1/me` : apiAddress(baseUrl, row.target_id, row),
    ...(settled ? {} : { reasons, next_action }),
  }
}
