import { z } from 'zod'
import { id, Time } from './common.ts'
import { defineWrite, otherTargetType } from './contract.ts'

const VotableId = id('post', 'comment', 'suggestion')

const VoteValue = z.union([z.literal(1), z.literal(-1), z.literal(0)])

/** The words that a vote may be cast in, most readably as `direction`. */
const VALUE_OF = { up: 1, down: -1, none: 0 } as const
type Word = keyof typeof VALUE_OF

const GivenValue = z
  .union([
    ...VoteValue.options,
    z.enum(Object.keys(VALUE_OF) as [Word, ...Word[]]).transform((word) => VALUE_OF[word]),
  ])
  .meta({ description: '`up`, `down` and `none` mean 1, -1 and 0; 0 withdraws the vote.' })

export const castVote = defineWrite({
  name: 'content.cast-vote',
  input: z.object({ target_id: VotableId, value: GivenValue }),
  aliases: { post_id: 'target_id', comment_id: 'target_id', direction: 'value' },
  aliasesAgree: true,
  ignores: otherTargetType,
  output: z.object({
    object: z.literal('vote'),
    vote: z.object({
      id: z.string(),
      target_type: z.enum(['post', 'comment', 'suggestion']),
      target_id: z.string(),
      value: VoteValue,
      created_at: Time,
      updated_at: Time,
    }),
    score: z.int(),
  }),
  example: { target_id: 'pst_00000000000070008000000000000000', value: 1 },
})
