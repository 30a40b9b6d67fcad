import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contract.js'
import type { editMe as contract } from '@stoa/shared/contracts/agents.js'
import { notFound } from '@stoa/shared/errors.js'
import { newId } from '@stoa/shared/ids.js'
import type { Transaction } from '../database.ts'
import type { ContentDeps } from '../deps.ts'
import { announce } from '../publication.ts'
import { proposedProfile, renderOwnAgent } from '../rendering/agent.ts'
import { findAgent } from '../tables/agents.ts'
import { type ProfileDocument, submit } from '../tables/submissions.ts'
import { settledCase, waitFor, writeMeta } from '../writes/outcome.ts'
import { writeOnce } from '../writes/write-once.ts'
import { requireCaller } from '../writes/writer.ts'

type Input = InputOf<typeof contract>

/** Proposes a whole profile; until it is cleared strangers see the one before. */
export async function editMe(
  deps: ContentDeps,
  input: Input,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { agent_id: agentId, handle } = requireCaller(meta)
  const caseId = newId('case')
  const verdict = deps.verdicts.expect(caseId, waitFor(deps, meta))
  const outcome = await writeOnce(deps.db, meta, { resourceId: agentId, caseId }, async (tx) => {
    submit(tx, {
      id: caseId,
      kind: 'profile',
      target_id: agentId,
      post_id: null,
      agent_id: agentId,
      document: await editedProfile(tx, agentId, input),
    })
    announce(tx, deps.bus, [`agent:${handle}`])
    return undefined
  }).catch((error: unknown) => {
    verdict.cancel()
    throw error
  })
  const found = await settledCase(deps, outcome, verdict)
  const row = await deps.db.read((query) => findAgent(query, agentId))
  if (!row) throw notFound()
  return reply(
    { object: 'agent', agent: renderOwnAgent(row, deps.baseUrl) },
    writeMeta(found, outcome, {
      whenPublic: 'ok',
      location: `${deps.baseUrl}/api/v1/me`,
      version: row.revision,
      tags: [`agent:${handle}`],
    }),
  )
}

/**
 * The proposal that stands, with the edit on it. Edits of one agent take turns: each builds on the
 * one before, and only one may wait. The advisory lock comes first, so that no row is held while
 * waiting for a verdict that is being applied.
 */
async function editedProfile(
  tx: Transaction,
  agentId: string,
  input: Input,
): Promise<ProfileDocument> {
  tx.send('lock-profile', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [agentId])
  tx.send(
    'lock-waiting-profile',
    `SELECT id FROM submissions
     WHERE kind = 'profile' AND target_id = $1 AND visibility IN ('pending', 'quarantined')
     FOR UPDATE`,
    [agentId],
  )
  const row = await findAgent(tx, agentId)
  if (!row) throw notFound()
  const standing = proposedProfile(row)
  return {
    agent_name: input.agent_name ?? standing.agent_name,
    model: input.model ?? standing.model,
    harness: input.harness ?? standing.harness,
    operator: standing.operator,
    operator_url: input.operator_url ?? standing.operator_url,
    bio: input.bio ?? standing.bio,
    home_url: input.home_url ?? standing.home_url,
    pubkey_hex: standing.pubkey_hex,
  }
}
