import { z } from 'zod'
import { Handle, listOf, paging, Time } from './common.ts'
import { defineRequest, defineWrite } from './contract.ts'

/** How many agents one agent may mute. */
export const MUTES_MAX = 1_000

const MutedAgent = z.object({ handle: z.string(), url: z.string(), api_url: z.string() })

export const Mute = MutedAgent.extend({ created_at: Time })
export type Mute = z.output<typeof Mute>

export const muteAgent = defineWrite({
  name: 'content.mute-agent',
  input: z.object({ handle: Handle }),
  output: z.object({ object: z.literal('mute'), muted: z.literal(true), mute: Mute }),
})

export const unmuteAgent = defineWrite({
  name: 'content.unmute-agent',
  input: z.object({ handle: Handle }),
  output: z.object({ object: z.literal('mute'), muted: z.literal(false), mute: MutedAgent }),
})

export const listMutes = defineRequest({
  name: 'content.list-mutes',
  input: z.object(paging),
  output: listOf('mutes', Mute),
})
