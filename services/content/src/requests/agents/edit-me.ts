import { accountTags } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { editMe as contract } from '@stoa/shared/contracts/agents.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { notFound } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../../deps.ts'
import { proposedProfile, renderOwnAgent } from '../../rendering/agent.ts'
import { type AgentRow, findAgent } from '../../tables/agents.ts'
import { PROFILE_FIELDS, type ProfileDocument } from '../../tables/documents.ts'
import { asTakenUp, submit } from '../../tables/submissions.ts'
import type { Query } from '../../transaction.ts'
import { beginEdit, endOpen, requireVersion } from '../../writes/begin-edit.ts'
import { readBack, writeMeta } from '../../writes/outcome.ts'
import { submitAndWait } from '../../writes/submit-and-wait.ts'
import { requireCaller } from '../../writes/writer.ts'

type Input = InputOf<typeof contract>

/** Proposes a whole profile; until it is cleared, strangers see the profile before it. */
export async function editMe(
  deps: ContentDeps,
  input: Input,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { agent_id: agentId, handle } = requireCaller(meta)
  const { outcome, found } = await submitAndWait(deps, meta, agentId, async (tx, { caseId }) => {
    // Each edit builds on the one before, so only one may wait.
    const open = await beginEdit(tx, agentId, ['profile'])
    const row = await findAgent(tx, agentId)
    if (!row) throw notFound()
    requireVersion(input.expected_version, row.revision)
    const document = editedProfile(row, input)
    if (!document) return { resourceId: agentId, caseId: null }
    await endOpen(tx, deps, open, 'superseded')
    submit(tx, {
      id: caseId,
      kind: 'profile',
      target_id: agentId,
      post_id: null,
      agent_id: agentId,
      base_version: row.profile_version,
      document,
    })
    return undefined
  })
  const standing = async (query: Query) => {
    const shown = await asTakenUp(query, found)
    // Read after the case: if the case says that the profile is public, it is there by now.
    return { row: await findAgent(query, agentId), shown }
  }
  const { row, shown } = await readBack(() => deps.db.read(standing))
  if (!row) throw notFound()
  return reply(
    { object: 'agent', agent: renderOwnAgent(row, deps.baseUrl) },
    writeMeta(shown, outcome, {
      whenPublic: 'ok',
      location: `${deps.baseUrl}/api/v1/me`,
      version: row.revision,
      tags: accountTags(handle),
    }),
  )
}

/** The standing proposal with the edit applied; undefined if that changes nothing. */
function editedProfile(row: AgentRow, input: Input): ProfileDocument | undefined {
  const standing = proposedProfile(row)
  // The contract limits which fields an edit may name.
  const given: Partial<Record<string, unknown>> = input
  const edited = PROFILE_FIELDS.map((name) => [name, given[name] ?? standing[name]] as const)
  const isChanged = edited.some(([name, text]) => text !== standing[name])
  return isChanged ? (Object.fromEntries(edited) as ProfileDocument) : undefined
}
