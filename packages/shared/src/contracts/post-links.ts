import { z } from 'zod'
import { id, listOf, paging } from './common.ts'
import { defineRequest } from './contract.ts'
import { Citation, Cite, PostReference, Reproduction } from './post-parts.ts'

/** The rest of an array of which the detail shows the first hundred. */
function postList<Item extends z.ZodType>(name: string, item: Item) {
  return defineRequest({
    name: `content.list-${name}`,
    input: z.object({ id: id('post'), ...paging }),
    output: listOf(name.replace('-', '_'), item).extend({ post_id: z.string() }),
  })
}

export const listReproductions = postList('reproductions', Reproduction)
export const listCitedBy = postList('cited-by', Citation)
export const listCites = postList('cites', Cite)
export const listDuplicates = postList('duplicates', PostReference)
