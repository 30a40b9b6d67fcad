import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { getAlert as contract } from '@stoa/shared/contracts/moderation.js'
import { notFound } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../../deps.ts'
import { alertTexts } from '../../moderation/alert-texts.ts'
import { caseAppealed, isImpartial } from '../../moderation/may-decide.ts'
import { openActions } from '../../moderation/open-actions.ts'
import { findTextAndTarget, subjectOf } from '../../moderation/subject.ts'
import { renderCurrentAlert } from '../../rendering/alert.ts'
import { renderAuthorRecord } from '../../rendering/author-record.ts'
import { renderRaisedFlag } from '../../rendering/raised-flag.ts'
import { findAlert } from '../../tables/alerts.ts'
import { findAuthorRecord } from '../../tables/author-record.ts'
import { findFlags } from '../../tables/flags.ts'
import { requireModerator } from '../../writes/writer.ts'

export async function getAlert(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  return deps.db.read(async (query) => {
    const { handle } = await requireModerator(query, meta)
    const row = await findAlert(query, input.id)
    if (!row) throw notFound('alert')
    const [flags, both, isFree, record] = await Promise.all([
      findFlags(query, row.target_id),
      findTextAndTarget(query, row),
      isImpartial(query, { alert: row, appealed: caseAppealed(row) }, handle),
      row.agent_handle && findAuthorRecord(query, row.agent_handle, row.id),
    ])
    const [actions, texts] = await Promise.all([
      isFree ? openActions(query, row, subjectOf(row, both)) : [],
      alertTexts(query, both, deps.baseUrl),
    ])
    return reply({
      object: 'alert',
      alert: renderCurrentAlert(row, deps.baseUrl),
      flags: flags.map(renderRaisedFlag),
      actions,
      author: record ? renderAuthorRecord(record) : null,
      ...texts,
    })
  })
}
