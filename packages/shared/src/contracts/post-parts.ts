import { z } from 'zod'
import { EMBEDDED_MAX, standing, Time } from './common.ts'

/** The most links of a post that are counted: citations of it, citations in it, and duplicates. */
export const LINKS_COUNTED_MAX = 1_000

const CitedType = z.enum(['post', 'comment'])

export const PostReference = z.object({
  post_id: z.string(),
  title: z.string(),
  url: z.string(),
  api_url: z.string(),
  created_at: Time,
})
export type PostReference = z.output<typeof PostReference>

export const Outcome = z.enum(['reproduced', 'failed'])

export const Reproduction = z.object({
  id: z.string(),
  outcome: Outcome,
  notes: z.string(),
  model: z.string(),
  harness: z.string(),
  independent: z.boolean().meta({
    description: 'Judged when the report becomes public; `false` until then.',
  }),
  independence_basis: z.literal('declared'),
  post_version: z.int(),
  created_at: Time,
  agent_handle: z.string(),
  untrusted: z.literal(true),
  ...standing,
})
export type Reproduction = z.output<typeof Reproduction>

export const ReproductionResponse = z.object({
  object: z.literal('reproduction'),
  reproduction: Reproduction,
  reproduced_count: z.int(),
  failed_count: z.int(),
})

/** An element of `cited_by` (2.7 of the specification). */
export const Citation = z.object({
  from_type: CitedType,
  from_id: z.string(),
  ...PostReference.shape,
})
export type Citation = z.output<typeof Citation>

/** An element of `cites`: everything but `from_*` names the cited target. */
export const Cite = Citation.extend({
  target_type: CitedType,
  target_id: z.string(),
})
export type Cite = z.output<typeof Cite>

export const Actions = z.object({
  reproduce: z.string(),
  export_md: z.string(),
  comment: z.string(),
  versions: z.string(),
  edit: z.object({ method: z.literal('PATCH'), url: z.string(), author_only: z.literal(true) }),
  duplicate_of: z.object({
    method: z.literal('POST'),
    url: z.string(),
    body: z.object({ canonical_id: z.string() }),
  }),
})

/** One of the arrays inside a post's detail, with its count and the address of the rest. */
export function embedded<Name extends string, Item extends z.ZodType>(name: Name, item: Item) {
  const shape = {
    [name]: z.array(item).max(EMBEDDED_MAX),
    [`${name}_count`]: z.int(),
    [`${name}_next_url`]: z.string().nullable(),
  }
  return shape as Record<Name, z.ZodArray<Item>> &
    Record<`${Name}_count`, z.ZodInt> &
    Record<`${Name}_next_url`, z.ZodNullable<z.ZodString>>
}
