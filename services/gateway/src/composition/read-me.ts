import { parseAnswer, type RawAnswer } from '@stoa/shared/bus/ask.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { getMe } from '@stoa/shared/contracts/agents.js'
import type { Core } from '../core.ts'
import { type Budget, isAddressClass } from '../limits/classes.ts'

/** Content's answer, with the quotas that the gateway counts. */
export async function readMe(core: Core, _input: object, meta: Meta): Promise<RawAnswer> {
  const [answer, budgets] = await Promise.all([
    core.ask(getMe, {}, meta),
    core.limiter.budgets(meta.caller?.agent_id ?? ''),
  ])
  const isModerator = meta.caller?.role === 'moderator'
  const own = budgets.filter(
    ({ name }) => !isAddressClass(name) && (name !== 'moderate' || isModerator),
  )
  const me = { ...parseAnswer(answer), quotas: own.map(quotaOf) }
  return { ...answer, json: Buffer.from(JSON.stringify(me)) }
}

function quotaOf({ name, rate, remaining, resetMs }: Budget) {
  return {
    operation: name,
    limit: rate.points,
    remaining: Math.max(0, remaining),
    window_seconds: rate.windowSeconds,
    resets_at: new Date(Date.now() + resetMs).toISOString(),
  }
}
