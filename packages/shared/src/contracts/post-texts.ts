import { z } from 'zod'
import { defineRequest } from '../contract.ts'
import { id, PAGE_LIMIT_MAX } from './common.ts'

/** One version of one post. */
export interface PostVersion {
  id: string
  version: number
}

/** The byte of an answer that the text of a version belongs in front of. */
export type TextPlace = [at: number, id: string, version: number]

/**
 * Where an answer lacks texts that its reader may have. `form` names the way they are written: a
 * text of another form is of no use.
 */
export interface MissingTexts {
  form: string
  places: TextPlace[]
}

/** The texts of versions, in the order asked; the answer's meta says where in it they stand. */
export const readPostTexts = defineRequest({
  name: 'content.read-post-texts',
  input: z.object({
    versions: z.array(z.tuple([id('post'), z.int()])).max(PAGE_LIMIT_MAX),
  }),
  output: z.custom<{ object: 'post-texts'; items: (object | null)[] }>(),
})
