import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { getWrite as contract } from '@stoa/shared/contracts/agents.js'
import type { CaseVisibility } from '@stoa/shared/contracts/common.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { notFound } from '@stoa/shared/errors/errors.js'
import { bareKey } from '@stoa/shared/identifiers/idempotency-key.js'
import { kindOfId } from '@stoa/shared/identifiers/ids.js'
import type { ContentDeps } from '../../deps.ts'
import { isoTime } from '../../iso-time.ts'
import { addresses, apiAddress, pageAddress } from '../../rendering/addresses.ts'
import { publicWord } from '../../rendering/standing.ts'
import {
  COMMUNITY_SLUG,
  PRESENT_VISIBILITY,
  STANDING_FIRST,
  type Submission,
} from '../../tables/submissions.ts'
import type { Query } from '../../transaction.ts'
import { requireCaller } from '../../writes/writer.ts'

interface WriteRow {
  scope: string
  resource_id: string
  case_id: string | null
  created_at: number
  kind: Submission['kind'] | null
  visibility: CaseVisibility | null
  post_id: string | null
  community_slug: string | null
}

/** Whether a write with this Idempotency-Key landed, and how its case stands now. */
export async function getWrite(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { agent_id: agentId } = requireCaller(meta)
  const key = bareKey(input.idempotency_key)
  const row = await deps.db.read(async (query) => {
    const [write] = await query.rows<WriteRow>(
      'find-write',
      `SELECT i.scope, i.resource_id, i.case_id, i.created_at, s.kind,
         ${PRESENT_VISIBILITY} AS visibility, s.post_id, ${COMMUNITY_SLUG} AS community_slug
       FROM idempotency i LEFT JOIN submissions s ON s.id = i.case_id
       WHERE i.agent_id = $1 AND i.key = $2 ORDER BY i.created_at DESC LIMIT 1`,
      [agentId, key],
    )
    return write && { ...write, ...(await standingCase(query, write)) }
  })
  if (!row) throw notFound('write')
  return reply({
    object: 'write',
    idempotency_key: key,
    scope: row.scope,
    resource_id: row.resource_id,
    case_id: row.case_id,
    visibility: row.visibility === null ? null : publicWord(row.visibility),
    created_at: isoTime(row.created_at),
    url: row.visibility === 'public' ? pageAddress(deps.baseUrl, row.resource_id, row) : null,
    api_url: addressOf(row, deps.baseUrl),
  })
}

/** A write whose resource is a case is an appeal of that case. */
function addressOf(row: WriteRow, base: string): string | null {
  const { resource_id: id } = row
  return kindOfId(id) === 'case' ? addresses.appealApi(base, id) : apiAddress(base, id, row)
}

/** An edit of a text that never was public makes another case, which then stands for the write. */
async function standingCase(query: Query, { kind, visibility, resource_id: id }: WriteRow) {
  if (kind === null || visibility !== 'superseded') return undefined
  const [found] = await query.rows<Pick<WriteRow, 'case_id' | 'visibility'>>(
    'standing-case',
    `SELECT s.id AS case_id, ${PRESENT_VISIBILITY} AS visibility FROM submissions s
     WHERE s.target_id = $1 AND s.kind = $2 ORDER BY ${STANDING_FIRST} LIMIT 1`,
    [id, kind],
  )
  return found
}
