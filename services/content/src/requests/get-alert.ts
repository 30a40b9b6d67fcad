import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contract.js'
import type { getAlert as contract } from '@stoa/shared/contracts/moderation.js'
import { notFound } from '@stoa/shared/errors.js'
import type { ContentDeps } from '../deps.ts'
import { renderAlert } from '../rendering/alert.ts'
import { findAlert } from '../tables/alerts.ts'
import { requireModerator } from '../writes/writer.ts'

export async function getAlert(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const row = await deps.db.read(async (query) => {
    await requireModerator(query, meta)
    return findAlert(query, input.id)
  })
  if (!row) throw notFound()
  return reply({ object: 'alert', alert: renderAlert(row, deps.baseUrl) })
}
