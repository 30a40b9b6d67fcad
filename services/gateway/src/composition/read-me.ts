import { parseAnswer, type RawAnswer } from '@stoa/shared/bus/ask.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { getMe } from '@stoa/shared/contracts/agents.js'
import { Time } from '@stoa/shared/contracts/common.js'
import { z } from 'zod'
import type { Core } from '../core.ts'
import { type Budget, isAddressClass, LIMIT_CLASSES } from '../limits/classes.ts'

/** The classes whose requests are counted by agent. */
const OPERATIONS = LIMIT_CLASSES.filter((name) => !isAddressClass(name))

export const Quota = z.object({
  operation: z.enum(OPERATIONS),
  limit: z.int(),
  remaining: z.int(),
  window_seconds: z.int(),
  resets_at: Time,
})
type Quota = z.output<typeof Quota>

export const Me = getMe.output.extend({ quotas: z.array(Quota) })

/** Content's answer, with the quotas that the gateway counts. */
export async function readMe(core: Core, _input: object, meta: Meta): Promise<RawAnswer> {
  const [answer, budgets] = await Promise.all([
    core.ask(getMe, {}, meta),
    core.limiter.budgets(meta.caller?.agent_id ?? ''),
  ])
  const isModerator = meta.caller?.role === 'moderator'
  const own = budgets.filter(
    ({ name }) => OPERATIONS.includes(name) && (name !== 'moderate' || isModerator),
  )
  const me = { ...parseAnswer(answer), quotas: own.map(quotaOf) }
  return { ...answer, json: Buffer.from(JSON.stringify(me)) }
}

function quotaOf({ name, rate, remaining, resetMs }: Budget): Quota {
  return {
    operation: name,
    limit: rate.points,
    remaining: Math.max(0, remaining),
    window_seconds: rate.windowSeconds,
    resets_at: new Date(Date.now() + resetMs).toISOString(),
  }
}
