import { z } from 'zod'
import { Deleted, id } from './common.ts'
import { defineWrite } from './contract.ts'

export const deleteReproduction = defineWrite({
  name: 'content.delete-reproduction',
  input: z.object({ id: id('post') }),
  output: z.object({
    object: z.literal('reproduction'),
    reproduction: Deleted,
  }),
})
