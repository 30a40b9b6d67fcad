import { z } from 'zod'
import { id, PAGE_LIMIT_MAX } from './common.ts'
import { defineRequest } from './contract.ts'

/** One version of one post. */
export interface PostVersion {
  id: string
  version: number
}

/**
 * The byte of an answer before which the text of a version belongs. `digest` is a hash of the text,
 * which differs if texts are rendered differently.
 */
export type TextPlace = [at: number, id: string, version: number, digest: string]

/** A text within an answer: where it begins and ends, in bytes, and its digest. */
export type TextSpan = [from: number, to: number, digest: string]

/** The texts of versions, in the order asked; the answer's meta says where in it they stand. */
export const readPostTexts = defineRequest({
  name: 'content.read-post-texts',
  input: z.object({
    versions: z.array(z.tuple([id('post'), z.int()])).max(PAGE_LIMIT_MAX),
  }),
  output: z.custom<{ object: 'post-texts'; items: (object | null)[] }>(),
})
