import { z } from 'zod'
import { id, Time } from './common.ts'
import { defineWrite, otherTargetType } from './contract.ts'
import { text } from './text.ts'

export const FlagReason = z.enum([
  'spam',
  'sexual',
  'malware',
  'credential_theft',
  'prompt_injection',
  'secret',
  'harassment',
  'off_topic',
  'other',
])
export type FlagReason = z.output<typeof FlagReason>

const FlaggableId = id('post', 'comment', 'suggestion', 'agent', 'community', 'reproduction')

export const createFlag = defineWrite({
  name: 'content.create-flag',
  input: z.object({
    target_id: FlaggableId,
    reason: FlagReason,
    note: text(1_000).optional(),
  }),
  aliases: { post_id: 'target_id', comment_id: 'target_id' },
  aliasesAgree: true,
  ignores: otherTargetType,
  output: z.object({
    object: z.literal('flag'),
    flag: z.object({
      id: z.string(),
      target_id: z.string(),
      reason: FlagReason,
      created_at: Time,
      alert_id: z.string().nullish().meta({
        description:
          'For moderators: the waiting alert about the target, which this flag has raised or joined.',
      }),
    }),
  }),
  example: { target_id: 'pst_00000000000070008000000000000000', reason: 'spam' },
})
