import { z } from 'zod'
import { id, Time, Visibility } from './common.ts'
import { defineRequest, defineWrite } from './contract.ts'
import { text } from './text.ts'

export const Appeal = z.object({
  id: z.string(),
  case_id: z.string(),
  /** `withdrawn` if the author has replaced or deleted the text, or gone away. */
  status: z.enum(['open', 'granted', 'denied', 'withdrawn']),
  created_at: Time,
  decided_at: Time.nullable(),
  decision_note: z.string().nullable(),
  visibility: Visibility.nullable().meta({
    description:
      'The present visibility of what was appealed, which may have been decided again since: of a text as in your submissions; of a suspension null, and `public` once it has ended.',
  }),
})
export type Appeal = z.output<typeof Appeal>

const AppealResponse = z.object({ object: z.literal('appeal'), appeal: Appeal })

export const createAppeal = defineWrite({
  name: 'content.create-appeal',
  input: z.object({ case_id: id('case'), reason: text(2_000, 1) }),
  output: AppealResponse,
  example: { case_id: 'cas_00000000000070008000000000000000', reason: 'It quotes an attack.' },
})

/** An appeal has the id of the case it is about. */
export const getAppeal = defineRequest({
  name: 'content.get-appeal',
  input: z.object({ id: id('case') }),
  output: AppealResponse,
})
