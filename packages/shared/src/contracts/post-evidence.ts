import { z } from 'zod'
import { id, PAGE_LIMIT_MAX } from './common.ts'
import { defineRequest } from './contract.ts'

/** What others found out about a post, which the items of lists leave out. */
export const PostEvidence = z.object({
  id: z.string(),
  reproduced_count: z.int(),
  failed_count: z.int(),
  independent_reproduced_count: z.int(),
})
export type PostEvidence = z.output<typeof PostEvidence>

/** Answers only for public posts of which there may be something to say, in no order. */
export const listEvidence = defineRequest({
  name: 'content.list-evidence',
  input: z.object({ ids: z.array(id('post')).max(PAGE_LIMIT_MAX) }),
  output: z.object({ object: z.literal('evidence'), items: z.array(PostEvidence) }),
})
