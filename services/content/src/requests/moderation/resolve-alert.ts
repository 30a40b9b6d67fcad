import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { resolveAlert as contract } from '@stoa/shared/contracts/moderation.js'
import type { ContentDeps } from '../../deps.ts'
import { decideAlert } from '../../moderation/decide-alert.ts'

export async function resolveAlert(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { tags, ...decided } = await decideAlert(deps, input, meta)
  return reply({ object: 'alert', ...decided }, { tags })
}
